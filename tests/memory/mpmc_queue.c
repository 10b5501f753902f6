// Vyukov's bounded queue of many producers and consumers.  A cell's number says whose turn it is:
// `position` for the producer of that position, `position + 1` for its consumer.  The cells hand
// over the data in both directions, so positions may be drawn with relaxed.
//
// Two cells, of which both are full at first: the third item needs the first cell again.
//
// case: A=acquire B=release C=acquire D=release => verified
// case: A=relaxed B=release C=acquire D=release => violation data-race
// case: A=acquire B=relaxed C=acquire D=release => violation data-race
// case: A=acquire B=release C=relaxed D=release => violation data-race
// case: A=acquire B=release C=acquire D=relaxed => violation data-race
#include "orders.h"

#include <stdbool.h>

#define CELLS 2

static struct {
    atomic_int number;
    int data;
} cells[CELLS];
static atomic_int head, tail;
static int seen[4];

#define draw(counter, position)                                                                  \
    atomic_compare_exchange_strong_explicit(&counter, &position, position + 1,                   \
                                            memory_order_relaxed, memory_order_relaxed)

/* False: it is full, or another producer was faster. */
static bool enqueue(int item)
{
    int position = load(tail, memory_order_relaxed);
    do
        if (load(cells[position % CELLS].number, A) != position)
            return false;
    while (!draw(tail, position));
    cells[position % CELLS].data = item;
    store(cells[position % CELLS].number, position + 1, B);
    return true;
}

/* 0: it is empty, or another consumer was faster. */
static int dequeue(void)
{
    int position = load(head, memory_order_relaxed);
    do
        if (load(cells[position % CELLS].number, C) != position + 1)
            return 0;
    while (!draw(head, position));
    int item = cells[position % CELLS].data;
    store(cells[position % CELLS].number, position + CELLS, D);
    return item;
}

static void *produce(void *unused)
{
    enqueue(3);
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < 2; i++)
        seen[dequeue()]++;
    return unused;
}

static void *consume_one(void *unused)
{
    int item = dequeue();
    assert(item >= 0 && item <= 3);
    return unused;
}

int main(void)
{
    for (int i = 0; i < CELLS; i++)
        atomic_init(&cells[i].number, i);
    enqueue(1);
    enqueue(2);
    run(produce, consume, consume_one);
    assert(seen[1] <= 1 && seen[2] <= 1 && seen[3] <= 1);
}
