// The work-stealing deque of Chase and Lev (SPAA 2005) with the orders of Lê, Pop, Cohen and
// Zappa Nardelli (PPoPP 2013, figure 1), without growing.  One thread, the owner, pushes and
// takes; all others steal.  A thief that loses against another one tries again.
//
// BUG 1: no barrier between the store of `bottom` and the load of `top` in take: the owner and
//        a thief have the same element.  It is not the last one, for which both compare: there
//        are two elements, and the thief takes both.
// BUG 2: the owner takes the last element without a compare-exchange.
// BUG 3: a thief that loses says that the deque is empty.  (It is none with
//        HEDDLE_LIN_MAY_FAIL.)  Two elements and two thieves are needed, one of which may be
//        the owner: with three calls together, one element is there before.
// BUG 4: push publishes the element with relaxed.
//
// lin: verified
// lin --calls=4 --threads=2 --after=0 -DBUG=1: results in 'push(1) / push(1); take | steal; steal /'
// lin -DBUG=2: results in '/ push(1); take | steal /'
// lin -DBUG=3: results in 'push(1) / push(1); steal | steal /'
// lin --threads=2 --after=0 -DBUG=3 -DMAY_FAIL: verified
// lin -DBUG=4: results in '/ push(1) | steal /'
#include <heddle/lin.h>

#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

#define PLACES 8 /* more than elements */

static atomic_int top, bottom, buffer[PLACES];

HEDDLE_LIN_SETUP
{
    atomic_init(&top, 0);
    atomic_init(&bottom, 0);
    for (int i = 0; i < PLACES; i++)
        atomic_init(&buffer[i], 0);
}

static int advance(int t)
{
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                   memory_order_relaxed);
}

HEDDLE_LIN_VOID(push, int v, HEDDLE_IN(1, 2))
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&buffer[b % PLACES], v, memory_order_relaxed);
    if (BUG != 4)
        atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

HEDDLE_LIN_OP0(take)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, item = -1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    if (BUG != 1)
        atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t <= b) {
        item = atomic_load_explicit(&buffer[b % PLACES], memory_order_relaxed);
        if (t < b)
            return item;
        if (BUG == 2)
            atomic_store_explicit(&top, t + 1, memory_order_seq_cst);
        else if (!advance(t))
            item = -1;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

HEDDLE_LIN_OP0(steal)
{
    for (;;) {
        int t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_thread_fence(memory_order_seq_cst);
        int b = atomic_load_explicit(&bottom, memory_order_acquire);
        if (t >= b)
            return -1;
        int item = atomic_load_explicit(&buffer[t % PLACES], memory_order_relaxed);
        if (advance(t))
            return item;
        if (BUG == 3)
            return -1;
    }
}

HEDDLE_LIN_ONLY(push, owner)
HEDDLE_LIN_ONLY(take, owner)
#ifdef MAY_FAIL
HEDDLE_LIN_MAY_FAIL(steal, -1)
#endif
