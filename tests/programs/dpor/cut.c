/* Two threads count while they wait for each other, main without end at first: with a bound on the
 * depth the reductions must go on after the execution that is cut.  It fails when both have
 * counted and the other's count comes first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, n;

static void *other(void *unused)
{
    (void)unused;
    while (!atomic_load(&x))
        atomic_fetch_add(&n, 1);
    assert(atomic_load(&n) < 3);
    atomic_store(&y, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    atomic_store(&x, 1);
    while (!atomic_load(&y))
        atomic_fetch_add(&n, 1);
    pthread_join(t, 0);
    return 0;
}
