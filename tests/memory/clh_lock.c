// The queue lock of Craig and of Landin and Hagersten: each thread waits at the node of its
// predecessor.  X publishes the node, with `busy = 1` in it, and acquires it from the predecessor:
// otherwise the successor could read the 0 from before, and enter.
//
// case: X=acq_rel L=acquire S=release N=2 => verified
// case: X=acq_rel L=acquire S=release N=3 => verified
// case: X=acquire L=acquire S=release N=2 => violation data-race
// case: X=release L=acquire S=release N=2 => violation data-race
// case: X=acq_rel L=relaxed S=release N=2 => violation data-race
// case: X=acq_rel L=acquire S=relaxed N=2 => violation data-race
#include "orders.h"

struct node {
    atomic_int busy;
};

static struct node nodes[4];
static struct node *_Atomic tail = &nodes[3];
static int n;

static void count(struct node *mine)
{
    store(mine->busy, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, X);
    while (load(before->busy, L))
        ;
    n++;
    store(mine->busy, 0, S);
}

static void *first(void *unused)
{
    count(&nodes[0]);
    return unused;
}

static void *second(void *unused)
{
    count(&nodes[1]);
    return unused;
}

#if N == 3
static void *third(void *unused)
{
    count(&nodes[2]);
    return unused;
}
#endif

int main(void)
{
#if N == 3
    run(first, second, third);
#else
    run(first, second);
#endif
    assert(n == N);
}
