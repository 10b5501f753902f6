// Treiber's stack with nodes that are freed when they have been popped.  One thread stands between its load of the top's
// next and its compare-and-swap while the other pops two nodes and pushes one: the new node may have the address of the
// first, and the swap then makes the freed second the top.
// expect: violation memory
// also: --strategy stateful => violation memory
// also: --reuse off --strategy optimal => violation memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
};

static struct node *_Atomic top;

static void push(struct node *node)
{
    struct node *seen = top;
    do
        node->next = seen;
    while (!atomic_compare_exchange_weak(&top, &seen, node));
}

static struct node *pop(void)
{
    struct node *seen = top;
    while (seen && !atomic_compare_exchange_weak(&top, &seen, seen->next))
        ;
    return seen;
}

static void *other(void *unused)
{
    free(pop());
    return unused;
}

int main(void)
{
    pthread_t t;
    push(malloc(sizeof(struct node)));
    push(malloc(sizeof(struct node)));
    pthread_create(&t, NULL, other, NULL);
    free(pop()); /* violation: the next of a freed node is read */
    pthread_join(t, NULL);
    return 0;
}
