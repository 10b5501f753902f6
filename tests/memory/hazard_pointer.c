// Hazard pointers (Michael, TPDS 2004).  The reader announces the node (fence), and looks again whether
// it is still there.  Who takes it out looks for announcements (fence) before the node goes.  That
// is store buffering: of the two, one sees the other.  P publishes the node's contents; the reader's
// fence acquires them after its first load, so the second load (L) may be relaxed.  C and H order
// the reader's last use before the end of the node.
//
// case: F1=seq_cst F2=seq_cst P=release L=acquire C=release H=acquire => verified
// case: F1=acq_rel F2=seq_cst P=release L=acquire C=release H=acquire => violation data-race
// case: F1=seq_cst F2=acq_rel P=release L=acquire C=release H=acquire => violation data-race
// case: F1=seq_cst F2=seq_cst P=relaxed L=acquire C=release H=acquire => violation data-race
// case: F1=seq_cst F2=seq_cst P=release L=relaxed C=release H=acquire => verified
// case: F1=seq_cst F2=seq_cst P=release L=acquire C=relaxed H=acquire => violation data-race
// case: F1=seq_cst F2=seq_cst P=release L=acquire C=release H=relaxed => violation data-race
#include "orders.h"

static int nodes[2] = { 1 };
static int *_Atomic current = &nodes[0], *_Atomic hazard;

static void *reader(void *unused)
{
    int *node = load(current, memory_order_relaxed);
    store(hazard, node, memory_order_relaxed);
    fence(F1);
    if (load(current, L) == node)
        assert(*node == 1 || *node == 2);
    store(hazard, NULL, C);
    return unused;
}

static void *writer(void *unused)
{
    nodes[1] = 2;
    int *old = atomic_exchange_explicit(&current, &nodes[1], P);
    fence(F2);
    if (load(hazard, H) != old)
        *old = -1; /* it is used for something else */
    return unused;
}

int main(void) { run(reader, writer); }
