// The same, and a node is put in its place: the list is sorted in every state.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy source => verified
// also: --strategy scale => verified
// also: --strategy stateful => verified
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
{
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
    struct node **at = &head;
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    n->next = *at;
    *at = n;
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
