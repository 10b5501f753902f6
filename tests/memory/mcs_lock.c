// The queue lock of Mellor-Crummey and Scott (TOCS 1991): each thread waits at a node of its own.
//
// X draws a place in the queue.  It acquires, from the owner that left the queue empty (U), and it
// releases the node: the successor's store into `next` must come after the `NULL` there.  N and R
// order the successor's `waiting = 1` before the owner's `waiting = 0`; if that is the wrong way
// round, the successor waits for ever.  S and L hand over the lock.
//
// case: X=acq_rel N=release R=acquire S=release L=acquire U=release => verified
// case: X=acquire N=release R=acquire S=release L=acquire U=release => violation deadlock
// case: X=release N=release R=acquire S=release L=acquire U=release => violation data-race deadlock
// case: X=acq_rel N=relaxed R=acquire S=release L=acquire U=release => violation deadlock
// case: X=acq_rel N=release R=relaxed S=release L=acquire U=release => violation deadlock
// case: X=acq_rel N=release R=acquire S=relaxed L=acquire U=release => violation data-race
// case: X=acq_rel N=release R=acquire S=release L=relaxed U=release => violation data-race
// case: X=acq_rel N=release R=acquire S=release L=acquire U=relaxed => violation data-race
#include "orders.h"

struct node {
    struct node *_Atomic next;
    atomic_int waiting;
};

static struct node *_Atomic tail;
static struct node nodes[2];
static int n;

static void take(struct node *mine)
{
    store(mine->next, NULL, memory_order_relaxed);
    store(mine->waiting, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, X);
    if (!before)
        return;
    store(before->next, mine, N);
    while (load(mine->waiting, L))
        ;
}

static void leave(struct node *mine)
{
    struct node *next = load(mine->next, R), *last = mine;
    if (!next) {
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, U, memory_order_relaxed))
            return;
        while (!(next = load(mine->next, R)))
            ;
    }
    store(next->waiting, 0, S);
}

static void *first(void *unused)
{
    take(&nodes[0]);
    n++;
    leave(&nodes[0]);
    return unused;
}

static void *second(void *unused)
{
    take(&nodes[1]);
    n++;
    leave(&nodes[1]);
    return unused;
}

int main(void)
{
    run(first, second);
    assert(n == 2);
}
