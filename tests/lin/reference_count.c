// The references of an object.  Its owner has one and lets go of it with reset; others get one
// as long as there are any (as from a weak pointer) and put it back.  Whoever puts back the
// last one destroys the object, here: writes into it.  get says what is in the object, or -1;
// put and reset say whether the object is gone now, or -1 if there is nothing to put back.
//
// BUG 1: get looks whether the count is 0, and adds one: it revives an object that is gone.
// BUG 2: put loads the count after it has subtracted: two threads destroy the object, or none.
// BUG 3: put does not acquire: the object is destroyed while its use by another thread is not
//        over.
// With BUG 1 and 2 the threads also race for the object, in the same runs.
//
// lin: verified
// lin --races=off -DBUG=1: results in '/ get | reset /'
// lin --races=off -DBUG=2: results in '/ get; put | reset /'
// lin -DBUG=3: data race in '/ get; put | reset /'
#include <heddle/lin.h>

#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

enum { THREADS = 5 };

static atomic_int count;
static int object, owned, held[THREADS];

HEDDLE_LIN_SETUP
{
    atomic_init(&count, 1);
    memset(held, 0, sizeof held);
    object = 7;
    owned = 1;
}

static int drop(void)
{
    int n = atomic_fetch_sub_explicit(&count, 1,
                                      BUG == 3 ? memory_order_release : memory_order_acq_rel);
    if (BUG == 2)
        n = atomic_load_explicit(&count, memory_order_acquire) + 1;
    if (n == 1)
        object = 0;
    return n == 1;
}

HEDDLE_LIN_OP0(get)
{
    int n = atomic_load_explicit(&count, memory_order_relaxed);
    do
        if (n == 0)
            return -1;
    while (BUG != 1 && !atomic_compare_exchange_strong_explicit(
                           &count, &n, n + 1, memory_order_relaxed, memory_order_relaxed));
    if (BUG == 1)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    held[heddle_lin_thread()]++;
    return object;
}

HEDDLE_LIN_OP0(put)
{
    if (held[heddle_lin_thread()] == 0)
        return -1;
    held[heddle_lin_thread()]--;
    return drop();
}

HEDDLE_LIN_OP0(reset)
{
    if (!owned)
        return -1;
    owned = 0;
    return drop();
}

HEDDLE_LIN_ONLY(reset, owner)
