// Three threads spin for ever in loops that do nothing.  main returns, which ends the process and them: natively
// this program always ends.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy brute => verified
#include <pthread.h>
#include <stddef.h>

static void *spin(void *unused)
{
    for (;;)
        ;
    return unused;
}

static void *pause(void *unused)
{
    while (1)
        __builtin_ia32_pause();
    return unused;
}

static void *count(void *unused)
{
    for (unsigned i = 0;; i++)
        __asm__ volatile("pause");
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, spin, NULL);
    pthread_create(&threads[1], NULL, pause, NULL);
    pthread_create(&threads[2], NULL, count, NULL);
    return 0;
}
