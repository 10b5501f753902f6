// Store buffers of x86, and what empties them.  Both threads store one variable and load the other.
// The outcome in which both loads read 0 exists under tso unless something between them is a
// barrier: a seq_cst store (xchg), a seq_cst fence, a read-modify-write, or a compare-exchange, also
// one that fails.  Other fences are nothing to the machine.  It never exists under sc.
//
// 4 pairs of values are possible with it, 3 without it, and each is one execution; the
// read-modify-writes are of a variable of the thread's own and add none.
// case: memory=tso HOW=0 ASSERT=1 => violation assertion
// case: memory=tso HOW=0 ASSERT=0 => verified; 4
// case: memory=tso HOW=0 W=seq_cst ASSERT=1 => verified; 3
// case: memory=tso HOW=0 R=seq_cst ASSERT=0 => verified; 4
// case: memory=tso HOW=0 FB=seq_cst ASSERT=1 => verified; 3
// case: memory=tso HOW=0 FB=acq_rel ASSERT=0 => verified; 4
// case: memory=tso HOW=1 ASSERT=1 => verified; 3
// case: memory=tso HOW=2 ASSERT=1 => verified; 3
// case: memory=tso HOW=3 ASSERT=1 => verified; 3
// case: memory=tso HOW=4 ASSERT=1 => violation assertion
// case: memory=tso HOW=4 ASSERT=0 => verified; 4
// case: memory=tso HOW=5 ASSERT=1 => violation assertion
// case: memory=tso HOW=5 ASSERT=0 => verified; 4
// case: memory=sc HOW=0 ASSERT=1 => no-violation-found; 3
// case: memory=sc HOW=4 ASSERT=0 => violation data-race
#include "orders.h"

#ifndef W
#define W memory_order_relaxed
#endif
#ifndef R
#define R memory_order_relaxed
#endif

static atomic_int x, y, own[2];
static int plain_x, plain_y;
static volatile int volatile_x, volatile_y;
static int seen[2];

/* HOW=1: a read-modify-write; 2: a compare-exchange that succeeds; 3: one that fails; 4: plain
 * accesses; 5: volatile ones. */
static void between(int me)
{
    int expected = HOW == 3;
    if (HOW == 1)
        atomic_fetch_add_explicit(&own[me], 1, memory_order_relaxed);
    if (HOW == 2 || HOW == 3)
        atomic_compare_exchange_strong_explicit(&own[me], &expected, 1, memory_order_relaxed,
                                                memory_order_relaxed);
    fence(FB);
}

static void *first(void *unused)
{
    if (HOW == 4) {
        plain_x = 1;
        seen[0] = plain_y;
    } else if (HOW == 5) {
        volatile_x = 1;
        seen[0] = volatile_y;
    } else {
        store(x, 1, W);
        between(0);
        seen[0] = load(y, R);
    }
    return unused;
}

static void *second(void *unused)
{
    if (HOW == 4) {
        plain_y = 1;
        seen[1] = plain_x;
    } else if (HOW == 5) {
        volatile_y = 1;
        seen[1] = volatile_x;
    } else {
        store(y, 1, W);
        between(1);
        seen[1] = load(x, R);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!ASSERT || seen[0] || seen[1]);
}
