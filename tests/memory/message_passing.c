// MP.  x = 0 after y = 1 is forbidden when the store of y synchronises with its load: then x = 1
// happens before the load of x.  seq_cst on x alone orders nothing: x = 0 -fr-> x = 1 is the only
// edge of psc.  Executions: a and b are 0 or 1 each, without the forbidden pair 3.
// case: COUNT=1 => verified; 4
// case: W=relaxed => violation assertion
// case: W=release => violation assertion
// case: R=acquire => violation assertion
// case: W=release R=acquire => verified; 3
// case: W=seq_cst R=relaxed => violation assertion
// case: W=seq_cst R=acquire => verified; 3
// case: W=seq_cst R=seq_cst X=seq_cst => verified; 3
// case: X=seq_cst => violation assertion
// case: F1=release F2=acquire => verified; 3
// case: F1=release => violation assertion
// case: F2=acquire => violation assertion
// case: F1=acquire F2=acquire => violation assertion
// case: F1=release F2=release => violation assertion
// case: F1=release R=acquire => verified; 3
// case: W=release F2=acquire => verified; 3
// case: F1=acq_rel F2=acq_rel => verified; 3
// case: F1=seq_cst F2=seq_cst => verified; 3
// case: F1=seq_cst F2=none => violation assertion
#include "orders.h"

static atomic_int x, y;
static int a, b;

static void *send(void *unused)
{
    store(x, 1, X);
    fence(F1);
    store(y, 1, W);
    return unused;
}

static void *receive(void *unused)
{
    a = load(y, R);
    fence(F2);
    b = load(x, X);
    return unused;
}

int main(void)
{
    run(send, receive);
    never(a == 1 && b == 0);
}
