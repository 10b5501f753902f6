/* queue_tail_stored.c, repaired. The tail is exchanged. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct node {
    _Atomic(struct node *) next;
} dummy, nodes[2];
static _Atomic(struct node *) tail = &dummy;

static void *push(void *arg)
{
    struct node *mine = arg;
    struct node *before = atomic_exchange(&tail, mine);
    before->next = mine;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int n = 0;
    pthread_create(&a, NULL, push, &nodes[0]);
    pthread_create(&b, NULL, push, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *at = dummy.next; at; at = at->next)
        n++;
    assert(n == 2);
}
