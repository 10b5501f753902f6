// Plain data and a flag.  Without synchronisation the two accesses of `data` race.
// case: W=release R=acquire => verified; 2
// case: W=relaxed R=acquire => violation data-race
// case: W=release R=relaxed => violation data-race
// case: W=seq_cst R=seq_cst => verified; 2
// case: F1=release F2=acquire => verified; 2
// case: F2=acquire => violation data-race
// case: F1=release => violation data-race
#include "orders.h"

static int data;
static atomic_int ready;

static void *publish(void *unused)
{
    data = 42;
    fence(F1);
    store(ready, 1, W);
    return unused;
}

static void *use(void *unused)
{
    if (load(ready, R)) {
        fence(F2);
        never(data != 42);
    }
    return unused;
}

int main(void) { run(publish, use); }
