/* steal_the_last.c, repaired. Both claim it with an exchange. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int tasks = 1, runs;

static int take(void)
{
    int one = 1;
    return atomic_compare_exchange_strong(&tasks, &one, 0);
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
