// Addresses that malloc gives out again (--reuse all).
//
// HOW=1: what the allocator zeroes is zero, although the atomic that was there before had another value; and what the new owner stores is
// what it reads.  HOW=2: store buffering with an allocation between store and load in both threads: the allocator orders nothing.
// HOW=3: who gets the address of a freed block sees what was stored before it was freed (C11, 7.22.3); HOW=4: who gets
// another one does not.
// case: HOW=1 => verified
// case: HOW=1 memory=tso => verified
// case: HOW=2 => violation assertion
// case: HOW=2 memory=tso => violation assertion
// case: HOW=2 memory=sc => no-violation-found
// case: HOW=3 => verified
// case: HOW=3 memory=tso => verified
// case: HOW=4 => violation assertion
// options: --reuse all
#include "orders.h"

#include <stdlib.h>

struct object {
    atomic_int value;
};

#define relaxed memory_order_relaxed

#if HOW == 1
static void *use(void *unused)
{
    for (int i = 0; i < 2; i++) {
        struct object *o = calloc(1, sizeof *o);
        assert(load(o->value, relaxed) == 0);
        store(o->value, 1, relaxed);
        assert(load(o->value, relaxed) == 1);
        free(o);
    }
    return unused;
}

int main(void) { run(use, use); }
#elif HOW >= 3
static atomic_int x, freed;
static struct object *block;

static void *end(void *unused)
{
    store(x, 1, relaxed);
    free(block);
    store(freed, 1, relaxed);
    return unused;
}

static void *begin(void *unused)
{
    if (HOW == 4 && !load(freed, relaxed))
        return unused;
    struct object *o = malloc(sizeof *o);
    if (HOW == 4 || o == block)
        assert(load(x, relaxed) == 1);
    free(o);
    return unused;
}

int main(void)
{
    block = malloc(sizeof *block);
    run(end, begin);
}
#else
static atomic_int x, y;
static int r1, r2;

static void *left(void *unused)
{
    store(x, 1, relaxed);
    free(malloc(8));
    r1 = load(y, relaxed);
    return unused;
}

static void *right(void *unused)
{
    store(y, 1, relaxed);
    free(malloc(8));
    r2 = load(x, relaxed);
    return unused;
}

int main(void)
{
    run(left, right);
    assert(r1 == 1 || r2 == 1);
}
#endif
