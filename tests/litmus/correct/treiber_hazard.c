// treiber of the wrong ones with hazard pointers: a thread says which node it is about to read and then looks whether the
// node is still the top; nobody frees a node that another thread has named.
// expect: verified
// also: --strategy stateful => verified
// also: --reuse all => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
};

static struct node *_Atomic top;
static struct node *_Atomic hazard[2];
static struct node *kept[2];

static void push(struct node *node)
{
    struct node *seen = top;
    do
        node->next = seen;
    while (!atomic_compare_exchange_weak(&top, &seen, node));
}

static struct node *pop(int me)
{
    for (;;) {
        struct node *seen = top;
        if (!seen)
            return NULL;
        hazard[me] = seen;
        if (top != seen)
            continue;
        struct node *expected = seen;
        if (atomic_compare_exchange_weak(&top, &expected, seen->next)) {
            hazard[me] = NULL;
            return seen;
        }
    }
}

static void retire(int me, struct node *node)
{
    if (hazard[!me] == node)
        kept[me] = node; /* freed at the end */
    else
        free(node);
}

static void *other(void *unused)
{
    retire(1, pop(1));
    return unused;
}

int main(void)
{
    pthread_t t;
    push(malloc(sizeof(struct node)));
    push(malloc(sizeof(struct node)));
    pthread_create(&t, NULL, other, NULL);
    retire(0, pop(0));
    pthread_join(t, NULL);
    free(kept[0]);
    free(kept[1]);
    return 0;
}
