/* The owner of a work queue takes its last task without asking whether a thief has it. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int tasks = 1, runs;

static int take(void)
{
    if (tasks == 0)
        return 0;
    tasks = 0;
    return 1;
}

static void *thief(void *unused)
{
    if (take())
        runs++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thief, NULL);
    if (take())
        runs++;
    pthread_join(t, NULL);
    assert(runs == 1);
}
