// The list is to be sorted, and a node is put in front of it, whatever is there: sorted in one order of the two
// insertions only.  Which nodes the invariant reads depends on the state.
// expect: violation invariant
// also: --strategy optimal => violation invariant
// also: --strategy source => violation invariant
// also: --strategy scale => violation invariant
// also: --strategy stateful => violation invariant
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int sorted(void)
{ /* violation */
    for (const struct node *n = head; n && n->next; n = n->next)
        if (n->value > n->next->value)
            return 0;
    return 1;
}

static void insert(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&lock);
    n->next = head; /* in front, whatever is there */
    head = n;
    pthread_mutex_unlock(&lock);
}

static void *insert_both(void *first)
{
    insert(*(int *)first);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    heddle_invariant(sorted);
    pthread_create(&a, NULL, insert_both, &two);
    pthread_create(&b, NULL, insert_both, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
