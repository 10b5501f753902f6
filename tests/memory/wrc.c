// WRC.  The second thread has read x = 1 and tells the third.  If its store of y synchronises with
// the third's load, the load a happens before the load c, and c may not read an older store than a
// (coherence), also if x itself is relaxed.  Executions: 8 without the forbidden one.
// case: COUNT=1 => verified; 8
// case: W=relaxed R=relaxed => violation assertion
// case: W=release R=acquire => verified; 7
// case: W=release R=acquire X=seq_cst => verified; 7
// case: W=release R=relaxed => violation assertion
// case: W=relaxed R=acquire => violation assertion
// case: W=relaxed R=acquire X=seq_cst => violation assertion
// case: F1=release R=acquire => verified; 7
// case: F1=release F2=acquire => verified; 7
// case: F1=acquire F2=acquire => violation assertion
#include "orders.h"

static atomic_int x, y;
static int a, b, c;

static void *first(void *unused)
{
    store(x, 1, X);
    return unused;
}

static void *second(void *unused)
{
    a = load(x, X);
    fence(F1);
    store(y, 1, W);
    return unused;
}

static void *third(void *unused)
{
    b = load(y, R);
    fence(F2);
    c = load(x, X);
    return unused;
}

int main(void)
{
    run(first, second, third);
    never(a == 1 && b == 1 && c == 0);
}
