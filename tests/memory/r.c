// R.  x = 1 -po-> y = 1 -mo-> y = 2 -po-> a = 0 -fr-> x = 1 is a cycle of psc if all accesses are
// seq_cst, or if there is a seq_cst fence in both threads.  Executions: 4, or 3 without it.
// case: COUNT=1 => verified; 4
// case: W=relaxed R=relaxed => violation assertion
// case: W=release R=acquire => violation assertion
// case: W=seq_cst R=seq_cst => verified; 3
// case: W=seq_cst R=acquire => violation assertion
// case: F1=seq_cst F2=seq_cst => verified; 3
// case: F2=seq_cst => violation assertion
// case: F1=seq_cst F2=acq_rel => violation assertion
#include "orders.h"

static atomic_int x, y;
static int a;

static void *first(void *unused)
{
    store(x, 1, W);
    fence(F1);
    store(y, 1, W);
    return unused;
}

static void *second(void *unused)
{
    store(y, 2, W);
    fence(F2);
    a = load(x, R);
    return unused;
}

int main(void)
{
    run(first, second);
    never(a == 0 && y == 2);
}
