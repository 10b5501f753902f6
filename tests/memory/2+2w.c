// 2+2W.  x = 2 -mo-> x = 1 -po-> y = 2 -mo-> y = 1 -po-> x = 2: forbidden if all stores are
// seq_cst, or with a seq_cst fence in both threads.  Executions: two orders for each location.
// case: COUNT=1 => verified; 4
// case: W=relaxed => violation assertion
// case: W=release => violation assertion
// case: W=seq_cst => verified; 3
// case: F1=seq_cst F2=seq_cst => verified; 3
// case: F1=seq_cst => violation assertion
// case: F1=release F2=release => violation assertion
#include "orders.h"

static atomic_int x, y;

static void *first(void *unused)
{
    store(x, 1, W);
    fence(F1);
    store(y, 2, W);
    return unused;
}

static void *second(void *unused)
{
    store(y, 1, W);
    fence(F2);
    store(x, 2, W);
    return unused;
}

int main(void)
{
    run(first, second);
    never(x == 1 && y == 1);
}
