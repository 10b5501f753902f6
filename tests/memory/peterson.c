// Peterson's algorithm.
//
// KIND=1, with an acq_rel exchange of `turn` (A. Williams): who exchanges second has synchronised with
// the first, sees its flag, and reads `turn` as its own, so it waits for the release of the flag.
// KIND=2, with seq_cst fences after both stores: if T's store of `turn` is the older one, the fence
// between T's stores comes before the fence after the other's in psc, so the other sees T's flag.
// Without that first fence (F1) the stores of flag and turn may be seen in the other order: both
// enter, although on x86, whose stores are seen in order, that cannot be.
// case: KIND=1 W=acq_rel R=acquire U=release => verified
// case: KIND=1 W=relaxed R=acquire U=release => violation data-race
// case: KIND=1 W=acq_rel R=relaxed U=release => violation data-race
// case: KIND=1 W=acq_rel R=acquire U=relaxed => violation data-race
// case: KIND=2 F1=seq_cst F2=seq_cst R=acquire U=release => verified
// case: KIND=2 F1=none F2=seq_cst R=acquire U=release => violation data-race
// case: KIND=2 F1=seq_cst F2=none R=acquire U=release => violation data-race
// case: KIND=2 F1=release F2=seq_cst R=acquire U=release => violation data-race
#include "orders.h"

static atomic_int flags[2], turn;
static int n;

static void enter(int me, int other)
{
    store(flags[me], 1, memory_order_relaxed);
#if KIND == 1
    atomic_exchange_explicit(&turn, other, W);
#else
    fence(F1);
    store(turn, other, memory_order_relaxed);
    fence(F2);
#endif
    while (load(flags[other], R) && load(turn, memory_order_relaxed) == other)
        ;
}

static void *first(void *unused)
{
    enter(0, 1);
    n++;
    store(flags[0], 0, U);
    return unused;
}

static void *second(void *unused)
{
    enter(1, 0);
    n++;
    store(flags[1], 0, U);
    return unused;
}

int main(void)
{
    run(first, second);
    assert(n == 2);
}
