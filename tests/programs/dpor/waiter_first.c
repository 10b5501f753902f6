/* A thread waits busily for another that has not begun.  DPOR tries the waiter first, and nothing that has happened races with it
 * yet.  Where the execution is cut after a turn of the loop, the other thread is never tried: docs/scale.md. */
#include <heddle.h>
#include <pthread.h>

static _Atomic int flag, other, x;

static void *waits(void *unused)
{
    while (!flag) {}
    int seen = x;
    heddle_observe(&seen, sizeof seen);
    return unused;
}

static void *sets(void *unused)
{
    other = 1;
    flag = 1;
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t waiter, setter;
    pthread_create(&waiter, NULL, waits, NULL);
    pthread_create(&setter, NULL, sets, NULL);
    pthread_join(waiter, NULL);
    pthread_join(setter, NULL);
    return other - 1;
}
