// A relaxed store x = 1 may stand after a release store x = 2 in the modification order, whichever
// runs first.  Who reads 1 with acquire learns nothing of who stored 2, although that is older.
//
// SEEN=1: the data are read after 2 and then 1: a race.  SEEN=2: they are read after 2, which says
// that they are there.  Executions: two orders of the stores, and the two loads read any of the three
// values of x but do not go back, 6 of 9.
// case: SEEN=1 W=release R=acquire => violation data-race
// case: SEEN=1 W=seq_cst R=seq_cst => violation data-race
// case: SEEN=2 W=release R=acquire => verified; 12
// case: SEEN=2 W=release => violation data-race
// case: SEEN=2 R=acquire => violation data-race
#include "orders.h"

static atomic_int x;
static int data;

static void *other(void *unused)
{
    store(x, 1, memory_order_relaxed);
    return unused;
}

static void *writer(void *unused)
{
    data = 1;
    store(x, 2, W);
    return unused;
}

static void *reader(void *unused)
{
    int first = load(x, memory_order_relaxed), second = load(x, R);
    if (second == SEEN && (SEEN == 2 || first == 2))
        assert(data == 1 || SEEN == 1);
    return unused;
}

int main(void) { run(other, writer, reader); }
