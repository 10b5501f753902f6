// After a crash the exploration goes on with the rest: nothing is counted twice or lost.
// expect: violation crash
// options: --keep-going
// executions: 4
// (main's read stands before, between or after three writes; one of the four crashes)
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int step;

static void *work(void *unused)
{
    step = 1;
    step = 2;
    step = 3;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (step == 2)
        __builtin_trap(); /* violation */
    pthread_join(t, NULL);
    return 0;
}
