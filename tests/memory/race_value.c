// Main's plain store races with a load whose location nothing has used before: what it stores looks like the
// initial value.  Main makes it only if it has read `ready` before the other thread's store.  With --keep-going the
// search goes on after the race, and must find nothing else: if main reads that store, the other thread has
// read 0.
//
// options: --keep-going
//
// HOW=1: an atomic load.  HOW=2: a compare-exchange, which must fail.  HOW=3: a plain load, and memset.
// case: HOW=1 => violation data-race
// case: HOW=2 => violation data-race
// case: HOW=3 => violation data-race
// case: HOW=1 memory=sc => violation data-race
// case: HOW=2 memory=sc => violation data-race
// case: HOW=3 memory=sc => violation data-race
#include "orders.h"

#include <string.h>

static atomic_int ready, data;
static char bytes[32];

static void *other(void *unused)
{
#if HOW == 1
    atomic_store(&ready, atomic_load(&data) + 1);
#elif HOW == 2
    int expected = 1;
    atomic_compare_exchange_strong(&data, &expected, 5);
    atomic_store(&ready, 1);
#else
    atomic_store(&ready, bytes[7] + 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int seen = atomic_load(&ready);
    assert(seen != 2);
    if (seen == 1)
        assert(atomic_load(&data) != 5);
#if HOW == 3
    else
        memset(bytes, 1, sizeof bytes);
#else
    else
        *(volatile int *)&data = 1;
#endif
    pthread_join(thread, NULL);
    (void)bytes;
}
