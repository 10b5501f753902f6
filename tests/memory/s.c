// S.  If y = 1 is read with acquire and was stored with release, x = 2 happens before x = 1 and
// stands before it in the modification order.  Executions: a twice, two orders of the stores, 4;
// without the forbidden one 3.
// case: COUNT=1 => verified; 4
// case: W=relaxed R=relaxed => violation assertion
// case: W=release R=relaxed => violation assertion
// case: W=relaxed R=acquire => violation assertion
// case: W=release R=acquire => verified; 3
// case: F1=release F2=acquire => verified; 3
// case: W=seq_cst R=seq_cst => verified; 3
// case: F1=release F2=release => violation assertion
#include "orders.h"

static atomic_int x, y;
static int a;

static void *first(void *unused)
{
    store(x, 2, memory_order_relaxed);
    fence(F1);
    store(y, 1, W);
    return unused;
}

static void *second(void *unused)
{
    a = load(y, R);
    fence(F2);
    store(x, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    run(first, second);
    never(a == 1 && x == 2);
}
