// CoRR, CoWR, CoRW, CoWW: one location is coherent with every order.
//
// CoRR: a reader's two loads of one store: 00, 01, 11.
// CoRR2: two orders of two stores, and for each of two readers 6 pairs that do not go back.
// CoWR: the own store with the other before or after it, or the other one, which then is newer.
// CoRW: the initial value with two orders, or the other store, which then is older.
// CoWW: a reader of two stores in a row: 6 pairs that do not go back.
// case: SHAPE=1 O=relaxed => verified; 3
// case: SHAPE=2 O=relaxed => verified; 72
// case: SHAPE=3 O=relaxed => verified; 3
// case: SHAPE=4 O=relaxed => verified; 3
// case: SHAPE=5 O=relaxed => verified; 6
// case: SHAPE=1 O=seq_cst => verified; 3
// case: SHAPE=2 O=seq_cst => verified; 72
// case: SHAPE=3 O=seq_cst => verified; 3
// case: SHAPE=4 O=seq_cst => verified; 3
// case: SHAPE=5 O=seq_cst => verified; 6
#include "orders.h"

static atomic_int x;
static int a, b, c, d;

static __attribute__((unused)) void *one(void *unused)
{
    store(x, 1, O);
    return unused;
}

static __attribute__((unused)) void *two(void *unused)
{
    store(x, 2, O);
    return unused;
}

static __attribute__((unused)) void *both(void *unused)
{
    store(x, 1, O);
    store(x, 2, O);
    return unused;
}

static __attribute__((unused)) void *read_ab(void *unused)
{
    a = load(x, O);
    b = load(x, O);
    return unused;
}

static __attribute__((unused)) void *read_cd(void *unused)
{
    c = load(x, O);
    d = load(x, O);
    return unused;
}

static __attribute__((unused)) void *write_read(void *unused)
{
    store(x, 1, O);
    a = load(x, O);
    return unused;
}

static __attribute__((unused)) void *read_write(void *unused)
{
    a = load(x, O);
    store(x, 1, O);
    return unused;
}

int main(void)
{
#if SHAPE == 1
    run(one, read_ab);
    never(a == 1 && b == 0);
#elif SHAPE == 2
    run(one, two, read_ab, read_cd);
    never(a == 1 && b == 2 && c == 2 && d == 1);
#elif SHAPE == 3
    run(write_read, two);
    never(a == 0);
    never(a == 2 && x == 1);
#elif SHAPE == 4
    run(read_write, two);
    never(a == 1);
    never(a == 2 && x == 2);
#else
    run(both, read_ab);
    never(a == 2 && b == 1);
    never(a == 2 && b == 0);
    never(a == 1 && b == 0);
    never(x != 2);
#endif
}
