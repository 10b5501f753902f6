// Treiber's stack (1986) with nodes that are used again at once by the thread that has popped
// them.  A number beside the top of the stack changes with it, so that a compare-exchange does
// not take a node that has come back for the one it was.
//
// BUG 1: the number stays as it is (ABA): the value belongs to the node's first life, and has
//        been popped.
// BUG 2: push stores instead of comparing: of two elements pushed at a time one is lost.
// BUG 3: push publishes the node with relaxed: pop reads the value that was in the node
//        before.
//
// lin: verified
// lin -DBUG=1: results in 'push(1) / pop; push(2) | pop /'
// lin -DBUG=2: results in '/ push(1); pop | push(1) / pop'
// lin -DBUG=3: results in '/ push(1) | pop /'
#include <heddle/lin.h>

#include <stdatomic.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

enum { THREADS = 5, OWN = 6, NODES = THREADS * OWN + 1 };

struct node {
    atomic_int value;
    atomic_uint next; /* an index; 0: none */
};

static struct node nodes[NODES];
static _Atomic uint64_t top; /* number, index */

static struct {
    unsigned fresh, n_free, free[OWN];
} own[THREADS];

static unsigned index_of(uint64_t word) { return (unsigned)word; }

static uint64_t successor(uint64_t word, unsigned index)
{
    uint64_t number = (word >> 32) + (BUG != 1);
    return number << 32 | index;
}

static unsigned new_node(void)
{
    int t = heddle_lin_thread();
    return own[t].n_free ? own[t].free[--own[t].n_free] : 1 + (unsigned)t * OWN + own[t].fresh++;
}

static void free_node(unsigned index)
{
    int t = heddle_lin_thread();
    own[t].free[own[t].n_free++] = index;
}

HEDDLE_LIN_SETUP
{
    memset(own, 0, sizeof own);
    for (int i = 0; i < NODES; i++) {
        atomic_init(&nodes[i].value, 0);
        atomic_init(&nodes[i].next, 0);
    }
    atomic_init(&top, 0);
}

HEDDLE_LIN_VOID(push, int value, HEDDLE_IN(1, 2))
{
    unsigned node = new_node();
    atomic_store_explicit(&nodes[node].value, value, memory_order_relaxed);
    uint64_t old = atomic_load_explicit(&top, memory_order_relaxed);
#if BUG == 2
    atomic_store_explicit(&nodes[node].next, index_of(old), memory_order_relaxed);
    atomic_store_explicit(&top, successor(old, node), memory_order_release);
#else
    do
        atomic_store_explicit(&nodes[node].next, index_of(old), memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(
        &top, &old, successor(old, node), BUG == 3 ? memory_order_relaxed : memory_order_release,
        memory_order_relaxed));
#endif
}

HEDDLE_LIN_OP0(pop)
{
    uint64_t old = atomic_load_explicit(&top, memory_order_acquire);
    for (;;) {
        unsigned node = index_of(old);
        if (!node)
            return -1;
        unsigned next = atomic_load_explicit(&nodes[node].next, memory_order_relaxed);
        int value = atomic_load_explicit(&nodes[node].value, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, successor(old, next),
                                                    memory_order_acquire, memory_order_acquire)) {
            free_node(node);
            return value;
        }
    }
}
