// Treiber's stack that keeps popped nodes readable (the next pointers lie in a table beside them), so that no freed memory is
// read.  What is left is ABA: while main stands between its load of the next and its compare-and-swap, the other pops
// two nodes, frees both and pushes a third.  If that has the address of the first, the swap succeeds with an old next.
// expect: violation assertion
// also: --strategy stateful => violation assertion
// also: --reuse off => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    long value;
};

static struct node *_Atomic top;
static struct node *_Atomic next_of[2];
static atomic_int freed[2];
static struct node *_Atomic address[2];

static void *other(void *unused)
{
    struct node *first = top;
    struct node *second = next_of[0];
    struct node *expected = first;
    if (first != address[0] || !atomic_compare_exchange_strong(&top, &expected, second))
        return unused; /* main was first */
    expected = second;
    if (!atomic_compare_exchange_strong(&top, &expected, NULL))
        return unused;
    freed[1] = 1;
    free(second);
    free(first);
    struct node *third = malloc(sizeof *third);
    if (third)
        top = third;
    return unused;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        address[i] = malloc(sizeof(struct node));
    next_of[0] = address[1];
    top = address[0];
    struct node *seen = top, *next = next_of[0];
    pthread_create(&t, NULL, other, NULL);
    if (atomic_compare_exchange_strong(&top, &seen, next))
        assert(!freed[1]); /* violation: the top is the freed second */
    pthread_join(t, NULL);
    return 0;
}
