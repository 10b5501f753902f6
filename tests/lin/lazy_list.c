// A set as a sorted list with lazy removal (Heller, Herlihy, Luchangco, Moir, Scherer, Shavit,
// OPODIS 2005).  add and remove lock two neighbours and look again whether they still are;
// contains locks nothing.  The list begins with 2 and 4.  Nodes are not used again.
//
// BUG 1: after locking there is no second look: a key is added twice, and what a thread adds
//        behind a removed node is lost.
// BUG 2: remove does not mark the node, so the second look misses that it is gone: what is
//        added behind it is lost, which a second add shows.
// BUG 3: release and acquire instead of seq_cst.  Two threads add different keys at both ends
//        of the list, whose locks differ, and each misses what the other one has added.
//
// lin --after=0 --threads=2: verified
// lin -DBUG=1: results in '/ add(3) | add(3) /'
// lin -DBUG=2: results in '/ add(3); add(3) | remove(2) /'
// lin --calls=4 --threads=2 --before=0 --after=0 -DBUG=3: results in '/ add(1); contains(5) | add(5); contains(1) /'
#include <heddle/lin.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

#if BUG == 3
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define KEYS HEDDLE_IN(1, 5)
#else
#define ACQUIRE memory_order_seq_cst
#define RELEASE memory_order_seq_cst
#define KEYS HEDDLE_IN(2, 3)
#endif

enum { THREADS = 5, OWN = 6 };

struct node {
    int key;
    pthread_mutex_t lock;
    atomic_int removed;
    struct node *_Atomic next;
};

static struct node first, two, four, last, nodes[THREADS][OWN];
static int used[THREADS];

static void begin(struct node *n, int key, struct node *next)
{
    n->key = key;
    pthread_mutex_init(&n->lock, NULL);
    atomic_init(&n->removed, 0);
    atomic_init(&n->next, next);
}

HEDDLE_LIN_SETUP
{
    begin(&last, INT_MAX, NULL);
    begin(&four, 4, &last);
    begin(&two, 2, &four);
    begin(&first, INT_MIN, &two);
    memset(used, 0, sizeof used);
}

static struct node *next_of(struct node *n) { return atomic_load_explicit(&n->next, ACQUIRE); }

static int is_removed(struct node *n) { return atomic_load_explicit(&n->removed, ACQUIRE); }

static int are_neighbours(struct node *before, struct node *at)
{
    return BUG == 1 || (!is_removed(before) && !is_removed(at) && next_of(before) == at);
}

static void unlock(struct node *before, struct node *at)
{
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

/* The node of the key, or the next one behind it; and the one before.  Both are locked. */
static struct node *lock(int key, struct node **before)
{
    for (;;) {
        struct node *at = &first;
        do {
            *before = at;
            at = next_of(at);
        } while (at->key < key);
        pthread_mutex_lock(&(*before)->lock);
        pthread_mutex_lock(&at->lock);
        if (are_neighbours(*before, at))
            return at;
        unlock(*before, at);
    }
}

HEDDLE_LIN_OP(add, int key, KEYS)
{
    struct node *before, *at = lock(key, &before);
    int fresh = at->key != key;
    if (fresh) {
        int t = heddle_lin_thread();
        struct node *n = &nodes[t][used[t]++];
        begin(n, key, at);
        atomic_store_explicit(&before->next, n, RELEASE);
    }
    unlock(before, at);
    return fresh;
}

#if BUG != 3
HEDDLE_LIN_OP(remove, int key, KEYS)
{
    struct node *before, *at = lock(key, &before);
    int found = at->key == key;
    if (found) {
        if (BUG != 2)
            atomic_store_explicit(&at->removed, 1, RELEASE);
        atomic_store_explicit(&before->next, next_of(at), RELEASE);
    }
    unlock(before, at);
    return found;
}
#endif

HEDDLE_LIN_OP(contains, int key, KEYS)
{
    struct node *at = next_of(&first);
    while (at->key < key)
        at = next_of(at);
    return at->key == key && !is_removed(at);
}
