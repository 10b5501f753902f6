// main waits for a thread that spins for ever: the process never ends.
// expect: violation no-progress
// also: --strategy optimal => violation no-progress
// also: --strategy stateful => violation no-progress
// also: --strategy brute => violation no-progress
#include <pthread.h>
#include <stddef.h>

static void *spin(void *unused)
{
    for (;;) /* violation */
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    pthread_join(thread, NULL);
    return 0;
}
