// Two plain reads in a row stay two: the optimiser sees them after they were instrumented.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *work(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int first = x;
    int second = x;
    assert(first == second); /* violation */
    pthread_join(t, NULL);
    return 0;
}
