// Two threads add by a loop around a weak compare-exchange. An attempt that fails spuriously is repeated, and does not wait
// for another value; a thread that gives up after three attempts has met three failures.
// options: --faults cas:6
// expect: verified
// also: --memory rc11 --faults cas:6 => verified
// also: --memory tso --faults cas:6 => verified
// also: --memory rc11 --faults cas:1 => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum;
static int added[2];

static void *add(void *which)
{
    int old = atomic_load(&sum);
    for (int i = 0; i < 3 && !added[*(int *)which]; i++)
        added[*(int *)which] = atomic_compare_exchange_weak(&sum, &old, old + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int which[2] = { 0, 1 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &which[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == added[0] + added[1]);
    return 0;
}
