// Vyukov's bounded queue of many producers and consumers, two cells.  A cell's number says
// whose turn it is: `position` for the producer of that position, `position + 1` for its
// consumer.
//
// It says that it is empty when the cell of the next position is not filled yet, even if the
// one behind it was filled long ago; and full likewise.  So it is linearizable only with
// HEDDLE_LIN_MAY_FAIL, under every memory model.
//
// BUG 1: without HEDDLE_LIN_MAY_FAIL.
// BUG 2: put draws its position with a store: two producers fill the same cell.
// BUG 3: get draws its position with a store: two consumers have the same element.
// BUG 4: put fills the cell with relaxed.
//
// lin: verified
// lin -DBUG=1: results in '/ put(1); get | put(1) /'
// lin -DBUG=2: data race in '/ put(1) | put(1) /'
// lin -DBUG=3: results in '/ put(1); get | get /'
// lin -DBUG=4: data race in '/ put(1) | get /'
#include <heddle/lin.h>

#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

#define CELLS 2

static struct {
    atomic_int number;
    int data;
} cells[CELLS];
static atomic_int head, tail;

HEDDLE_LIN_SETUP
{
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
    for (int i = 0; i < CELLS; i++)
        atomic_init(&cells[i].number, i);
}

static int draw(atomic_int *counter, int *position, int badly)
{
    if (badly) {
        atomic_store_explicit(counter, *position + 1, memory_order_relaxed);
        return 1;
    }
    return atomic_compare_exchange_strong_explicit(counter, position, *position + 1,
                                                   memory_order_relaxed, memory_order_relaxed);
}

/* Is it the turn of `number`?  Otherwise the position is stale, or the queue full or empty. */
static int lag_of(int position, int number)
{
    return number - atomic_load_explicit(&cells[position % CELLS].number, memory_order_acquire);
}

HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2))
{
    int position = atomic_load_explicit(&tail, memory_order_relaxed), lag;
    while ((lag = lag_of(position, position)) != 0 || !draw(&tail, &position, BUG == 2))
        if (lag > 0)
            return 0;
        else if (lag < 0)
            position = atomic_load_explicit(&tail, memory_order_relaxed);
    cells[position % CELLS].data = v;
    atomic_store_explicit(&cells[position % CELLS].number, position + 1,
                          BUG == 4 ? memory_order_relaxed : memory_order_release);
    return 1;
}

HEDDLE_LIN_OP0(get)
{
    int position = atomic_load_explicit(&head, memory_order_relaxed), lag;
    while ((lag = lag_of(position, position + 1)) != 0 || !draw(&head, &position, BUG == 3))
        if (lag > 0)
            return -1;
        else if (lag < 0)
            position = atomic_load_explicit(&head, memory_order_relaxed);
    int v = cells[position % CELLS].data;
    atomic_store_explicit(&cells[position % CELLS].number, position + CELLS,
                          memory_order_release);
    return v;
}

#if BUG != 1
HEDDLE_LIN_MAY_FAIL(put, 0)
HEDDLE_LIN_MAY_FAIL(get, -1)
#endif
