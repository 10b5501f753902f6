// The core of Dekker's algorithm: a thread enters unless it sees the other's flag.
// case: W=seq_cst R=seq_cst => verified; 3
// case: F1=seq_cst F2=seq_cst => verified; 3
// case: W=release R=acquire => violation data-race
// case: F1=seq_cst => violation data-race
// case: F1=acq_rel F2=acq_rel => violation data-race
#include "orders.h"

static atomic_int flags[2];
static int inside;

static void *first(void *unused)
{
    store(flags[0], 1, W);
    fence(F1);
    if (!load(flags[1], R))
        inside++;
    return unused;
}

static void *second(void *unused)
{
    store(flags[1], 1, W);
    fence(F2);
    if (!load(flags[0], R))
        inside++;
    return unused;
}

int main(void) { run(first, second); }
