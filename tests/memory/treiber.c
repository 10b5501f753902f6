// Treiber's stack with two threads that push and one that pops; nodes are not used again.
// case: W=release R=acquire => verified
// case: W=relaxed R=acquire => violation data-race
// case: W=release R=relaxed => violation data-race
#include "orders.h"

struct node {
    int value;
    struct node *next;
};

static struct node nodes[2];
static struct node *_Atomic top;

static void push(struct node *n, int value)
{
    n->value = value;
    struct node *old = load(top, memory_order_relaxed);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, n, W, memory_order_relaxed));
}

static void *push_first(void *unused)
{
    push(&nodes[0], 1);
    return unused;
}

static void *push_second(void *unused)
{
    push(&nodes[1], 2);
    return unused;
}

static void *pop(void *unused)
{
    struct node *old = load(top, R);
    while (old && !atomic_compare_exchange_strong_explicit(&top, &old, old->next, R, R))
        ;
    if (old)
        assert(old->value == 1 || old->value == 2);
    return unused;
}

int main(void) { run(push_first, push_second, pop); }
