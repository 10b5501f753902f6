// SB.  Both loads read 0 unless psc has the cycle store -po-> load -fr-> store -po-> load -fr->:
// all four accesses seq_cst, or a seq_cst fence in both threads.  Acquire and release do not
// forbid it.  Executions: 4, without the forbidden one 3.
// case: COUNT=1 => verified; 4
// case: W=relaxed R=relaxed => violation assertion
// case: W=release R=acquire => violation assertion
// case: W=seq_cst R=seq_cst => verified; 3
// case: W=seq_cst R=acquire => violation assertion
// case: W=release R=seq_cst => violation assertion
// case: F1=seq_cst F2=seq_cst => verified; 3
// case: F1=seq_cst F2=acq_rel => violation assertion
// case: F1=acq_rel F2=acq_rel => violation assertion
// case: F1=seq_cst => violation assertion
#include "orders.h"

static atomic_int x, y;
static int a, b;

static void *first(void *unused)
{
    store(x, 1, W);
    fence(F1);
    a = load(y, R);
    return unused;
}

static void *second(void *unused)
{
    store(y, 1, W);
    fence(F2);
    b = load(x, R);
    return unused;
}

int main(void)
{
    run(first, second);
    never(a == 0 && b == 0);
}
