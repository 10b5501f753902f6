// The work-stealing deque of Chase and Lev with the orders of Lê, Pop, Cohen and Zappa Nardelli
// (PPoPP 2013, figure 1), without growing.  The owner pushes and takes at the bottom, thieves steal
// at the top; nothing may be had twice, and nothing that was not pushed.
//
// P: push publishes the item.  F1 and F2: of an owner that takes and a thief that steals, one sees
// what the other did.  C: the compare-exchanges of `top` that give the last item to one of them.
// T and B: the loads of the thief.
//
// case: P=release F1=seq_cst F2=seq_cst C=seq_cst T=acquire B=acquire => verified
// case: P=relaxed F1=seq_cst F2=seq_cst C=seq_cst T=acquire B=acquire => violation assertion
// case: P=release F1=acq_rel F2=seq_cst C=seq_cst T=acquire B=acquire => violation assertion
// case: P=release F1=seq_cst F2=acq_rel C=seq_cst T=acquire B=acquire => violation assertion
// case: P=release F1=seq_cst F2=seq_cst C=seq_cst T=acquire B=relaxed => violation assertion
#include "orders.h"

#define PLACES 4

static atomic_int top, bottom, buffer[PLACES];
static atomic_int had[3];

static void push(int item)
{
    int b = load(bottom, memory_order_relaxed);
    store(buffer[b % PLACES], item, memory_order_relaxed);
    fence(P);
    store(bottom, b + 1, memory_order_relaxed);
}

static int cas_top(int t)
{
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, C, memory_order_relaxed);
}

static int take(void)
{
    int b = load(bottom, memory_order_relaxed) - 1;
    store(bottom, b, memory_order_relaxed);
    fence(F1);
    int t = load(top, memory_order_relaxed), item = 0;
    if (t <= b) {
        item = load(buffer[b % PLACES], memory_order_relaxed);
        if (t < b)
            return item;
        if (!cas_top(t))
            item = 0;
    }
    store(bottom, b + 1, memory_order_relaxed);
    return item;
}

static int steal(void)
{
    int t = load(top, T);
    fence(F2);
    int b = load(bottom, B);
    if (t >= b)
        return 0;
    int item = load(buffer[t % PLACES], memory_order_relaxed);
    assert(item == 1 || item == 2);
    return cas_top(t) ? item : 0;
}

static void have(int item)
{
    if (item)
        assert(atomic_fetch_add_explicit(&had[item], 1, memory_order_relaxed) == 0);
}

static void *owner(void *unused)
{
    push(1);
    push(2);
    have(take());
    return unused;
}

static void *thief(void *unused)
{
    have(steal());
    have(steal());
    return unused;
}

int main(void) { run(owner, thief); }
