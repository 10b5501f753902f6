// A counter.  With -DCELLS each thread has a cell of its own, and get adds them up.  That is
// linearizable as long as the counter only grows, one by one: each sum between the first and
// the last one is a value that it had.
//
// BUG 1: add loads and stores.
// BUG 2: the cells are relaxed: two threads add, and each misses what the other one did.
// BUG 3: there is a decrement: a sum is too small or too large for every moment.
//
// lin: verified
// lin -DBUG=1: results in '/ add | add /'
// lin -DCELLS: verified
// lin --calls=4 -DCELLS -DBUG=2: results in '/ add; get | add; get /'
// lin -DCELLS -DBUG=3: results in '/ add | subtract | get /'
#include <heddle/lin.h>

#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

#define ORDER (BUG == 2 ? memory_order_relaxed : memory_order_seq_cst)

enum { THREADS = 5 };

static atomic_long cells[THREADS];

HEDDLE_LIN_SETUP
{
    for (int i = 0; i < THREADS; i++)
        atomic_init(&cells[i], 0);
}

#ifdef CELLS
static void change(long by) { atomic_fetch_add_explicit(&cells[heddle_lin_thread()], by, ORDER); }

HEDDLE_LIN_VOID0(add) { change(1); }

#if BUG == 3
HEDDLE_LIN_VOID0(subtract) { change(-1); }
#endif

HEDDLE_LIN_OP0(get)
{
    long sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += atomic_load_explicit(&cells[i], ORDER);
    return sum;
}
#else
HEDDLE_LIN_OP0(add)
{
    if (BUG != 1)
        return atomic_fetch_add_explicit(&cells[0], 1, memory_order_relaxed);
    long old = atomic_load_explicit(&cells[0], memory_order_relaxed);
    atomic_store_explicit(&cells[0], old + 1, memory_order_relaxed);
    return old;
}

HEDDLE_LIN_OP0(get) { return atomic_load_explicit(&cells[0], memory_order_relaxed); }
#endif
