// The queue of Michael and Scott (PODC 1996) with nodes that are not used again, so the second look
// at head and tail is not needed.  A node is initialised with plain stores.  Whoever comes to it must
// have synchronised with that: through `next` (N, M), through `tail` (T, U) or through `head`.
//
// Two enqueuers need T and U (K=1); a dequeuer comes to a node through `head` (H, I) only if another
// one has stored it there (K=2).  With K=3 there are two of each, and one thread of these is both.
//
// case: K=1 N=release M=acquire T=release U=acquire => verified
// case: K=1 N=relaxed M=acquire T=release U=acquire => violation data-race
// case: K=1 N=release M=relaxed T=release U=acquire => violation data-race
// case: K=1 N=release M=acquire T=relaxed U=acquire => violation assertion data-race
// case: K=1 N=release M=acquire T=release U=relaxed => violation assertion data-race
// case: K=2 N=release M=acquire T=release U=acquire H=release I=acquire => verified
// case: K=2 N=release M=acquire T=release U=acquire H=relaxed I=acquire => violation data-race
// case: K=2 N=release M=acquire T=release U=acquire H=release I=relaxed => violation data-race
// case: K=3 N=release M=acquire T=release U=acquire H=release I=acquire => verified
#include "orders.h"

struct node {
    struct node *_Atomic next;
    int value;
};

static struct node nodes[3];
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static void swing(struct node *from, struct node *to)
{
    atomic_compare_exchange_strong_explicit(&tail, &from, to, T, memory_order_relaxed);
}

static void enqueue(struct node *n, int value)
{
    n->value = value;
    atomic_init(&n->next, NULL);
    for (;;) {
        struct node *last = load(tail, U), *next = load(last->next, M);
        if (next) {
            swing(last, next);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, N,
                                                           memory_order_relaxed)) {
            swing(last, n);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = load(head, I), *last = load(tail, U), *next = load(first->next, M);
        if (!next)
            return 0;
        if (first == last) {
            swing(last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, H, memory_order_relaxed))
            return value;
    }
}

static void *produce(void *unused)
{
    enqueue(&nodes[1], 1);
    return unused;
}

static void *produce_and_consume(void *unused)
{
    enqueue(&nodes[2], 2);
    int value = dequeue();
    assert(value >= (K == 1) && value <= 2);
    return unused;
}

static void *consume(void *unused)
{
    int value = dequeue();
    assert(value >= 0 && value <= 2);
    return unused;
}

int main(void)
{
#if K == 1
    run(produce, produce_and_consume);
#elif K == 2
    run(produce, consume, consume);
#else
    run(produce, produce_and_consume, consume);
#endif
}
