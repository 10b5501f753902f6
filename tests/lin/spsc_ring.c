// Lamport's ring of one producer and one consumer (1983) with two places.  With seq_cst it is
// linearizable.  With release and acquire it hands over the data just as well, but `put` may
// miss the newest `get` while a `get` misses the newest `put`: nothing orders a thread's store
// of its own index before its load of the other one.  Then full and empty are no longer exact,
// which HEDDLE_LIN_MAY_FAIL allows.
//
// BUG 1: put publishes its index with relaxed.
// BUG 2: get gives the place back before it has read it.  The third put writes there: with
//        three calls together, one put comes before.
// BUG 3: `size` loads the indices while both move: there was never a moment with so many
//        elements.
//
// lin: verified
// lin -DWEAK -DMAY_FAIL: verified
// lin --calls=4 --threads=2 --after=0 -DWEAK: results in 'put(1) / put(1); put(1) | get; get /'
// lin -DWEAK -DMAY_FAIL -DBUG=1: data race in '/ put(1) | get /'
// lin -DWEAK -DMAY_FAIL -DBUG=2: data race in 'put(1) / put(1); put(1) | get /'
// lin -DSIZE: verified
// lin -DBUG=3: results in 'put(1) / get; put(1) | size /'
#include <heddle/lin.h>

#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

#ifdef WEAK
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#else
#define ACQUIRE memory_order_seq_cst
#define RELEASE memory_order_seq_cst
#endif

#define PLACES 2

static int ring[PLACES];
static atomic_uint head, tail;

HEDDLE_LIN_SETUP
{
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
}

HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2))
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, ACQUIRE) == PLACES)
        return 0;
    ring[t % PLACES] = v;
    atomic_store_explicit(&tail, t + 1, BUG == 1 ? memory_order_relaxed : RELEASE);
    return 1;
}

HEDDLE_LIN_OP0(get)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, ACQUIRE))
        return -1;
    if (BUG == 2)
        atomic_store_explicit(&head, h + 1, RELEASE);
    int v = ring[h % PLACES];
    if (BUG != 2)
        atomic_store_explicit(&head, h + 1, RELEASE);
    return v;
}

HEDDLE_LIN_ONLY(put, producer)
HEDDLE_LIN_ONLY(get, consumer)

#ifdef MAY_FAIL
HEDDLE_LIN_MAY_FAIL(put, 0)
HEDDLE_LIN_MAY_FAIL(get, -1)
#endif

#if defined SIZE || BUG == 3
/* Both indices only grow.  If the head is what it was, it was that when the tail was loaded. */
HEDDLE_LIN_OP0(size)
{
    unsigned h, n;
    do {
        h = atomic_load(&head);
        n = atomic_load(&tail) - h;
    } while (BUG != 3 && atomic_load(&head) != h);
    return n;
}
#endif
