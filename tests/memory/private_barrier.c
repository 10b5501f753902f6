// Store buffering with an atomic access of a variable between store and load that no other thread uses.  To x86 it is a full barrier:
// HOW=1: a relaxed fetch-add of a local, HOW=2: a seq_cst store of a variable that one thread alone uses (xchg), HOW=3: a compare-exchange of
// a thread-local variable that fails.  HOW=4: a release store and HOW=5: a seq_cst load are moves, and no barriers.
// To C11 none of them orders anything, whatever their order.
// case: HOW=1 memory=tso => verified; 3
// case: HOW=2 memory=tso => verified; 3
// case: HOW=3 memory=tso => verified; 3
// case: HOW=4 memory=tso => violation assertion
// case: HOW=5 memory=tso => violation assertion
// case: HOW=1 => violation assertion
// case: HOW=2 => violation assertion
// case: HOW=3 => violation assertion
//
// In inline assembly a locked instruction is what it is on x86, a full barrier: HOW=6: of a local, HOW=7: xchg of a variable that one thread
// alone uses, HOW=8: of a variable of both.  HOW=9: without `lock` it is none.
// case: HOW=6 => verified; 3
// case: HOW=7 => verified; 3
// case: HOW=8 => verified
// case: HOW=9 => violation assertion
// case: HOW=6 memory=tso => verified; 3
// case: HOW=7 memory=tso => verified; 3
// case: HOW=9 memory=tso => violation assertion
#include "orders.h"

static atomic_int x, y;
static int r1, r2;

#define relaxed memory_order_relaxed

#if HOW == 1
#define BARRIER(n) (void)__atomic_fetch_add(&(int){ 1 }, 1, __ATOMIC_RELAXED)
#elif HOW == 2
static atomic_int own1, own2;
#define BARRIER(n) atomic_store(&own##n, 1)
#elif HOW == 3
static _Thread_local atomic_int local;
#define BARRIER(n)                                                                               \
    atomic_compare_exchange_strong_explicit(&local, &(int){ 5 }, 6, relaxed, relaxed)
#elif HOW == 4
static atomic_int own1, own2;
#define BARRIER(n) store(own##n, 1, memory_order_release)
#elif HOW == 5
static atomic_int own1, own2;
#define BARRIER(n) (void)atomic_load(&own##n)
#elif HOW == 6
#define BARRIER(n)                                                                               \
    int local = 0;                                                                               \
    __asm__ volatile("lock; addl $1, %0" : "+m"(local) : : "memory", "cc")
#elif HOW == 7
static int own1, own2;
#define BARRIER(n)                                                                               \
    int local = n;                                                                               \
    __asm__ volatile("xchgl %0, %1" : "+r"(local), "+m"(own##n) : : "memory")
#elif HOW == 8
static int both;
#define BARRIER(n) __asm__ volatile("lock; incl %0" : "+m"(both) : : "memory", "cc")
#else
#define BARRIER(n)                                                                               \
    int local = 0;                                                                               \
    __asm__ volatile("addl $1, %0" : "+m"(local) : : "memory", "cc")
#endif

static void *left(void *unused)
{
    store(x, 1, relaxed);
    BARRIER(1);
    r1 = load(y, relaxed);
    return unused;
}

static void *right(void *unused)
{
    store(y, 1, relaxed);
    BARRIER(2);
    r2 = load(x, relaxed);
    return unused;
}

int main(void)
{
    run(left, right);
    assert(r1 == 1 || r2 == 1);
}
