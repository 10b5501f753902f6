// main never creates a thread, and its loop has more steps than a trace can hold.  Every exchange succeeds.
// expect: violation no-progress
// options: --hang 1
// also: --strategy graph --memory sc => violation no-progress
// also: --memory rc11 => violation no-progress
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static int turn(void)
{
    int r = atomic_load(&x);
    for (;;)
        if (!atomic_compare_exchange_strong(&x, &r, 17)) /* violation */
            continue;
    return r;
}

int main(void)
{
    turn();
    pthread_exit(NULL);
}
