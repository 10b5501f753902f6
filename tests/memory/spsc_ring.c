// A ring of one producer and one consumer with two places, so that places are used again.
// case: W=release R=acquire W2=release R2=acquire => verified
// case: W=relaxed R=acquire W2=release R2=acquire => violation data-race
// case: W=release R=relaxed W2=release R2=acquire => violation data-race
// case: W=release R=acquire W2=relaxed R2=acquire => violation data-race
// case: W=release R=acquire W2=release R2=relaxed => violation data-race
#include "orders.h"

#define PLACES 2
#ifndef ITEMS
#define ITEMS 3
#endif

static int ring[PLACES];
static atomic_int head, tail;

static void *produce(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        while (i - load(head, R2) == PLACES)
            ;
        ring[i % PLACES] = i + 1;
        store(tail, i + 1, W);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        while (load(tail, R) == i)
            ;
        assert(ring[i % PLACES] == i + 1);
        store(head, i + 1, W2);
    }
    return unused;
}

int main(void) { run(produce, consume); }
