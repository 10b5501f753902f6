// A weak compare-exchange may fail spuriously, also if no other thread uses the variable.
// options: --faults cas:1
// expect: violation assertion
// also: --memory rc11 --faults cas:1 => violation assertion
// also: --memory tso --faults cas:1 => violation assertion
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int others;

static void *other(void *unused)
{
    atomic_fetch_add(&others, 1);
    return unused;
}

int main(void)
{
    atomic_int mine = 0;
    int expected = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    assert(atomic_compare_exchange_weak(&mine, &expected, 1));
    atomic_fetch_add(&others, 1);
    pthread_join(thread, NULL);
    return 0;
}
