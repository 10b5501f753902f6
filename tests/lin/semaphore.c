// A counting semaphore without waiting: trywait takes a unit if there is one.  With -DUSE it
// has one unit that protects a variable: trywait acquires what post has released.  A use that
// finds no unit while another one runs says -1.
//
// BUG 1: trywait loads and stores: two threads take the same unit.
// BUG 2: trywait takes a unit first, and gives it back if there was none: meanwhile the value
//        is -1.
// BUG 3: post is relaxed: uses of the variable are not ordered.
//
// lin: verified
// lin -DUSE: verified
// lin -DBUG=1: results in '/ post; trywait | trywait /'
// lin -DBUG=2: results in '/ trywait | value /'
// lin -DUSE -DBUG=3: data race in '/ use | use /'
#include <heddle/lin.h>

#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

static atomic_int units;
static int used;

HEDDLE_LIN_SETUP
{
#ifdef USE
    atomic_init(&units, 1);
#else
    atomic_init(&units, 0);
#endif
    used = 0;
}

static void post(void)
{
    atomic_fetch_add_explicit(&units, 1, BUG == 3 ? memory_order_relaxed : memory_order_release);
}

static int trywait(void)
{
    int n = atomic_load_explicit(&units, memory_order_acquire);
#if BUG == 1
    if (n > 0)
        atomic_store_explicit(&units, n - 1, memory_order_relaxed);
    return n > 0;
#elif BUG == 2
    n = atomic_fetch_sub_explicit(&units, 1, memory_order_acquire);
    if (n <= 0)
        atomic_fetch_add_explicit(&units, 1, memory_order_relaxed);
    return n > 0;
#else
    while (n > 0)
        if (atomic_compare_exchange_strong_explicit(&units, &n, n - 1, memory_order_acquire,
                                                    memory_order_acquire))
            return 1;
    return 0;
#endif
}

#ifdef USE
HEDDLE_LIN_OP0(use)
{
    if (!trywait())
        return -1;
    int n = ++used;
    post();
    return n;
}

HEDDLE_LIN_MAY_FAIL(use, -1)
#else
HEDDLE_LIN_VOID0(post) { post(); }

HEDDLE_LIN_OP0(trywait) { return trywait(); }

HEDDLE_LIN_OP0(value) { return atomic_load_explicit(&units, memory_order_relaxed); }
#endif
