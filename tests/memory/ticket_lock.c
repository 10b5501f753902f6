// A ticket lock.  Tickets may be drawn with relaxed; what orders the critical sections is the
// release of the owner and the acquire of who waits.
// case: W=release R=acquire N=2 => verified; 2
// case: W=release R=acquire N=3 => verified; 6
// case: W=relaxed R=acquire N=2 => violation data-race
// case: W=release R=relaxed N=2 => violation data-race
#include "orders.h"

static atomic_int next, owner;
static int n;

static void *count(void *unused)
{
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (load(owner, R) != mine)
        ;
    n++;
    store(owner, mine + 1, W);
    return unused;
}

int main(void)
{
#if N == 2
    run(count, count);
#else
    run(count, count, count);
#endif
    assert(n == N);
}
