// IRIW.  Two readers see two independent stores in opposite orders.  Only seq_cst accesses, or
// seq_cst fences between the loads, forbid it.  Executions: 2 values for each of four loads.
// case: COUNT=1 W=release R=acquire => verified; 16
// case: W=relaxed R=relaxed => violation assertion
// case: W=release R=acquire => violation assertion
// case: W=seq_cst R=acquire => violation assertion
// case: W=seq_cst R=seq_cst => verified; 15
// case: F=seq_cst => verified; 15
// case: F=acq_rel => violation assertion
#include "orders.h"

static atomic_int x, y;
static int a, b, c, d;

static void *write_x(void *unused)
{
    store(x, 1, W);
    return unused;
}

static void *write_y(void *unused)
{
    store(y, 1, W);
    return unused;
}

static void *read_xy(void *unused)
{
    a = load(x, R);
    fence(F);
    b = load(y, R);
    return unused;
}

static void *read_yx(void *unused)
{
    c = load(y, R);
    fence(F);
    d = load(x, R);
    return unused;
}

int main(void)
{
    run(write_x, write_y, read_xy, read_yx);
    never(a == 1 && b == 0 && c == 1 && d == 0);
}
