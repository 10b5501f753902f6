// Instructions that touch no memory are no steps: nothing is to be ordered.
// expect: verified
// executions: 1
#include <pthread.h>

static void *run(void *unused)
{
    for (int i = 0; i < 4; i++) {
        __asm__ volatile("lfence" ::: "memory");
        __asm__ volatile("sfence" ::: "memory");
        __asm__ volatile("rep; nop" ::: "memory");
        __asm__ volatile("" ::: "memory");
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
