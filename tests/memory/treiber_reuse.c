// Treiber's stack, whose nodes are freed and come back from malloc.
//
// HOW=1: a node is freed at once, though the other thread may be about to read it.  HOW=2: hazard pointers; whoever takes a node that
// the other thread protects does not free it.  C is the order of the compare-exchange that takes a node: the load of the
// other's hazard pointer must come after it in the order of seq_cst, else it may miss it.
// case: HOW=1 C=seq_cst => violation memory
// case: HOW=2 C=seq_cst => verified
// case: HOW=2 C=acq_rel => violation memory
// case: HOW=1 C=seq_cst memory=tso => violation memory
// case: HOW=2 C=seq_cst memory=tso => verified
// case: HOW=2 C=acq_rel memory=tso => verified
#include "orders.h"

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static struct node *_Atomic hazard[2];

static void push(int value)
{
    struct node *n = malloc(sizeof *n), *old = load(top, memory_order_relaxed);
    n->value = value;
    do
        n->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_seq_cst,
                                                    memory_order_relaxed));
}

static struct node *protect(int me)
{
    struct node *old = load(top, memory_order_acquire);
    if (HOW == 1)
        return old;
    for (;;) {
        atomic_store(&hazard[me], old);
        struct node *again = atomic_load(&top);
        if (again == old)
            return old;
        old = again;
    }
}

static struct node *pop(int me)
{
    struct node *old;
    while ((old = protect(me)))
        if (atomic_compare_exchange_strong_explicit(&top, &old, old->next, C,
                                                    memory_order_relaxed))
            break;
    store(hazard[me], NULL, memory_order_release);
    return old;
}

static void take(int me)
{
    struct node *n = pop(me);
    if (!n)
        return;
    assert(n->value == 1 || n->value == 2);
    if (HOW == 1 || atomic_load(&hazard[!me]) != n)
        free(n);
}

static void *left(void *unused)
{
    take(0);
    return unused;
}

static void *right(void *unused)
{
    take(1);
    push(2);
    return unused;
}

int main(void)
{
    push(1);
    run(left, right);
}
