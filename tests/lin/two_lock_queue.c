// The queue of Michael and Scott (PODC 1996) with a lock for each end.  The first node is a
// dummy, so that the ends do not meet, except in `next` of the last node, which is atomic.
//
// BUG 1: enqueue reads the end before it locks it: of two elements one is lost.
// BUG 2: enqueue links the node with relaxed: dequeue reads its value without synchronisation.
// BUG 3: dequeue reads the first node before it locks it, and does not look again: two threads
//        have it.
//
// lin: verified
// lin -DBUG=1: results in '/ enqueue(1); dequeue | enqueue(1) / dequeue'
// lin -DBUG=2: data race in '/ enqueue(1) | dequeue /'
// lin -DBUG=3: results in '/ enqueue(1); dequeue | dequeue /'
#include <heddle/lin.h>

#include <pthread.h>
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

static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER,
                       tail_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *_Atomic head, *_Atomic tail; /* atomic because of BUG 1 and 3 */
static struct node nodes[THREADS][OWN], dummy;
static int used[THREADS];

HEDDLE_LIN_SETUP
{
    memset(used, 0, sizeof used);
    atomic_init(&dummy.next, NULL);
    atomic_init(&head, &dummy);
    atomic_init(&tail, &dummy);
}

HEDDLE_LIN_VOID(enqueue, int v, HEDDLE_IN(1, 2))
{
    int t = heddle_lin_thread();
    struct node *node = &nodes[t][used[t]++];
    node->value = v;
    atomic_init(&node->next, NULL);
    struct node *last = NULL;
    if (BUG == 1)
        last = atomic_load_explicit(&tail, memory_order_acquire);
    pthread_mutex_lock(&tail_lock);
    if (BUG != 1)
        last = atomic_load_explicit(&tail, memory_order_relaxed);
    atomic_store_explicit(&last->next, node,
                          BUG == 2 ? memory_order_relaxed : memory_order_release);
    atomic_store_explicit(&tail, node, BUG == 1 ? memory_order_release : memory_order_relaxed);
    pthread_mutex_unlock(&tail_lock);
}

HEDDLE_LIN_OP0(dequeue)
{
    struct node *first = NULL;
    int value = -1;
    if (BUG == 3)
        first = atomic_load_explicit(&head, memory_order_acquire);
    pthread_mutex_lock(&head_lock);
    if (BUG != 3)
        first = atomic_load_explicit(&head, memory_order_relaxed);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next) {
        value = next->value;
        atomic_store_explicit(&head, next, memory_order_relaxed);
    }
    pthread_mutex_unlock(&head_lock);
    return value;
}
