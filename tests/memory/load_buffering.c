// LB.  RC11 has no cycle of po and rf, whatever the orders: both loads cannot read 1.  Executions:
// 4 without that one.
// case: W=relaxed R=relaxed => verified; 3
// case: W=release R=acquire => verified; 3
// case: W=seq_cst R=seq_cst => verified; 3
#include "orders.h"

static atomic_int x, y;
static int a, b;

static void *first(void *unused)
{
    a = load(x, R);
    store(y, 1, W);
    return unused;
}

static void *second(void *unused)
{
    b = load(y, R);
    store(x, 1, W);
    return unused;
}

int main(void)
{
    run(first, second);
    never(a == 1 && b == 1);
}
