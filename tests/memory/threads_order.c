// Store buffering of seq_cst accesses.  `x = 1` and the load of y belong to different threads, and the one happens before
// the other by creation or join of a thread, or a barrier: then it is before it in the order of seq_cst.  (C++20, [atomics.order]: it strongly
// happens before it.  RC11 has no threads that come and go; creation, end and join are events of no location here.)
//
// HOW=1: a join, after the thread's last access.  HOW=2: creation.  HOW=3: a join of a thread that has joined the other one.
// HOW=4: a join, and a seq_cst fence before a relaxed load.  HOW=5: creation, between two seq_cst fences.  HOW=6: a barrier.
// With relaxed accesses, W and R, it may be stale.
// case: HOW=1 W=seq_cst R=seq_cst => verified
// case: HOW=1 W=seq_cst R=acquire => violation assertion
// case: HOW=1 W=release R=seq_cst => violation assertion
// case: HOW=2 W=seq_cst R=seq_cst => verified
// case: HOW=2 W=seq_cst R=acquire => violation assertion
// case: HOW=3 W=seq_cst R=seq_cst => verified
// case: HOW=3 W=release R=seq_cst => violation assertion
// case: HOW=4 W=seq_cst R=relaxed => verified
// case: HOW=5 W=relaxed R=relaxed => verified
// case: HOW=6 W=seq_cst R=seq_cst => verified
// case: HOW=6 W=seq_cst R=acquire => violation assertion
// case: HOW=1 memory=tso W=relaxed R=relaxed => verified
// case: HOW=2 memory=tso W=relaxed R=relaxed => verified
#include "orders.h"

static atomic_int x, y;
static int r1, r2;
#if HOW == 6
static pthread_barrier_t barrier;
#endif

static void *other(void *unused)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&x);
    return unused;
}

static void *first(void *unused)
{
    store(x, 1, W);
#if HOW == 6
    pthread_barrier_wait(&barrier);
#endif
    return unused;
}

static void *second(void *unused)
{
#if HOW == 3
    run(first);
#elif HOW == 6
    pthread_barrier_wait(&barrier);
#endif
#if HOW == 4 || HOW == 5
    fence(memory_order_seq_cst);
#endif
    if (HOW != 3)
        r2 = load(y, R);
    return unused;
}

int main(void)
{
    pthread_t thread;
#if HOW == 6
    pthread_barrier_init(&barrier, NULL, 2);
#endif
    pthread_create(&thread, NULL, other, NULL);
#if HOW == 1 || HOW == 4
    run(first);
    second(NULL);
#elif HOW == 2
    first(NULL);
    run(second);
#elif HOW == 3
    run(second);
    r2 = load(y, R);
#elif HOW == 5
    first(NULL);
    fence(memory_order_seq_cst);
    run(second);
#else
    run(first, second);
#endif
    pthread_join(thread, NULL);
    assert(r1 == 1 || r2 == 1);
}
