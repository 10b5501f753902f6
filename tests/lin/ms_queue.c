// The queue of Michael and Scott (PODC 1996) with the orders of tests/memory/ms_queue.c.
// Nodes are not used again, so the second look at head and tail is not needed.
//
// BUG 1: enqueue looks for the end, and links the node with a store: of two elements one is
//        lost.
// BUG 2: the node is linked with relaxed: who follows the link reads the node without
//        synchronisation.  enqueue does so, too: it loads `next` of the last node.
// BUG 3: dequeue moves the head with a store: two threads have the same element.
// BUG 4: there is `peek`, which is right under sequential consistency.  With acquire it misses
//        that the element is gone, while dequeue misses the next one.  The two elements
//        differ: otherwise a peek after both dequeues would explain it.
//
// lin --threads=2 --after=0: verified
// long lin: verified
// lin --calls=3 --before=0 --after=0: verified
// lin -DBUG=1: results in '/ enqueue(1); dequeue | enqueue(1) / dequeue'
// lin -DBUG=2: data race in '/ enqueue(1) | enqueue(1) /'
// lin -DBUG=3: results in '/ enqueue(1); dequeue | dequeue /'
// lin --calls=4 --per-thread=2 --threads=2 --after=0 -DBUG=4: results in 'enqueue(1) / enqueue(2); peek | dequeue; dequeue /'
#include <heddle/lin.h>

#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

enum { THREADS = 5, OWN = 6 };

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node nodes[THREADS][OWN], dummy;
static int used[THREADS];
static struct node *_Atomic head, *_Atomic tail;

HEDDLE_LIN_SETUP
{
    memset(used, 0, sizeof used);
    atomic_init(&dummy.next, NULL);
    atomic_init(&head, &dummy);
    atomic_init(&tail, &dummy);
}

static struct node *load(struct node *_Atomic *from)
{
    return atomic_load_explicit(from, memory_order_acquire);
}

static int replace(struct node *_Atomic *in, struct node *old, struct node *by)
{
    return atomic_compare_exchange_strong_explicit(
        in, &old, by, BUG == 2 ? memory_order_relaxed : memory_order_release,
        memory_order_relaxed);
}

static int append(struct node *last, struct node *node)
{
    if (BUG != 1)
        return replace(&last->next, NULL, node);
    atomic_store_explicit(&last->next, node, memory_order_release);
    return 1;
}

HEDDLE_LIN_VOID(enqueue, int v, HEDDLE_IN(1, 2))
{
    int t = heddle_lin_thread();
    struct node *node = &nodes[t][used[t]++];
    node->value = v;
    atomic_init(&node->next, NULL);
    for (;;) {
        struct node *last = load(&tail), *next = load(&last->next);
        if (next) {
            replace(&tail, last, next);
        } else if (append(last, node)) {
            replace(&tail, last, node);
            return;
        }
    }
}

HEDDLE_LIN_OP0(dequeue)
{
    for (;;) {
        struct node *first = load(&head), *last = load(&tail), *next = load(&first->next);
        if (!next)
            return -1;
        if (first == last) {
            replace(&tail, last, next);
            continue;
        }
        int value = next->value;
        if (BUG == 3)
            atomic_store_explicit(&head, next, memory_order_release);
        if (BUG == 3 || replace(&head, first, next))
            return value;
    }
}

#if BUG == 4
HEDDLE_LIN_OP0(peek)
{
    struct node *next = load(&load(&head)->next);
    return next ? next->value : -1;
}
#endif
