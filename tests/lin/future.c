// A future that is set once.  set says whether it was the first one; try_get says what was
// set, or -1.  The result is a record that the setter fills and publishes with one
// compare-exchange.
//
// BUG 1: the setter claims the future first, fills the record, then publishes it: set says
//        "already set", and try_get after that finds nothing.
// BUG 2: set looks whether the future is empty, and stores.
// BUG 3: the record is published with relaxed.
//
// lin: verified
// lin -DBUG=1: results in '/ set(1); try_get | set(1) /'
// lin -DBUG=2: results in '/ set(1) | set(1) /'
// lin -DBUG=3: data race in '/ set(1) | try_get /'
#include <heddle/lin.h>

#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

enum { THREADS = 5 };

struct record {
    int value;
};

static struct record records[THREADS];
static struct record *_Atomic set_to;
static atomic_int claimed; /* BUG 1 */

HEDDLE_LIN_SETUP
{
    atomic_init(&set_to, NULL);
    atomic_init(&claimed, 0);
    memset(records, 0, sizeof records);
}

HEDDLE_LIN_OP(set, int v, HEDDLE_IN(1, 2))
{
    struct record *mine = &records[heddle_lin_thread()], *empty = NULL;
    if (atomic_load_explicit(&set_to, memory_order_relaxed))
        return 0; /* the record may be published already: do not touch it */
#if BUG == 1
    if (atomic_exchange_explicit(&claimed, 1, memory_order_relaxed))
        return 0;
    mine->value = v;
    atomic_store_explicit(&set_to, mine, memory_order_release);
    return 1;
#elif BUG == 2
    (void)empty;
    mine->value = v;
    atomic_store_explicit(&set_to, mine, memory_order_release);
    return 1;
#else
    mine->value = v;
    return atomic_compare_exchange_strong_explicit(
        &set_to, &empty, mine, BUG == 3 ? memory_order_relaxed : memory_order_release,
        memory_order_relaxed);
#endif
}

HEDDLE_LIN_OP0(try_get)
{
    struct record *record = atomic_load_explicit(&set_to, memory_order_acquire);
    return record ? record->value : -1;
}
