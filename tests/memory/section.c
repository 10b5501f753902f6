// Atomic sections: each happens before the next one, and nobody sees one half done.
//
// SHAPE=1: a section stores into two variables, another one loads both.
// SHAPE=2: store buffering, each thread in one section: one of them comes first.
// SHAPE=3: the same with two sections per thread, a store in the first and a load in the second: these are
// ordered like steps of an interleaving, so the outcome is not possible either.
// SHAPE=4: two loads in two sections may see the stores of a section in between: x is old, y is new.
// SHAPE=5: plain data behind a flag that is set and read in sections.
// SHAPE=6: two increments by load and store in one section, three sections: 3! orders.
//
// case: SHAPE=1 => verified; 2
// case: SHAPE=2 => verified; 2
// case: SHAPE=3 => verified
// case: SHAPE=4 => violation assertion
// case: SHAPE=5 => verified
// case: SHAPE=6 => verified; 6
// case: memory=tso SHAPE=3 => verified
// case: memory=tso SHAPE=4 => violation assertion
#include "orders.h"

#include <heddle.h>

static atomic_int x, y;
static int data, seen[2];

static int read_in_section(atomic_int *v)
{
    heddle_atomic_begin();
    int value = atomic_load_explicit(v, memory_order_relaxed);
    heddle_atomic_end();
    return value;
}

static void write_in_section(atomic_int *v, int value)
{
    heddle_atomic_begin();
    atomic_store_explicit(v, value, memory_order_relaxed);
    heddle_atomic_end();
}

static void *write_both(void *unused)
{
    heddle_atomic_begin();
    store(x, 1, memory_order_relaxed);
    store(y, 1, memory_order_relaxed);
    heddle_atomic_end();
    return unused;
}

static void *read_both(void *unused)
{
    heddle_atomic_begin();
    int a = load(x, memory_order_relaxed), b = load(y, memory_order_relaxed);
    heddle_atomic_end();
    assert(a == b);
    return unused;
}

static void *read_each(void *unused)
{
    int a = read_in_section(&x), b = read_in_section(&y);
    assert(a == b);
    return unused;
}

static void *buffer_0(void *unused)
{
    if (SHAPE == 3) {
        write_in_section(&x, 1);
        seen[0] = read_in_section(&y);
        return unused;
    }
    heddle_atomic_begin();
    store(x, 1, memory_order_relaxed);
    seen[0] = load(y, memory_order_relaxed);
    heddle_atomic_end();
    return unused;
}

static void *buffer_1(void *unused)
{
    if (SHAPE == 3) {
        write_in_section(&y, 1);
        seen[1] = read_in_section(&x);
        return unused;
    }
    heddle_atomic_begin();
    store(y, 1, memory_order_relaxed);
    seen[1] = load(x, memory_order_relaxed);
    heddle_atomic_end();
    return unused;
}

static void *send(void *unused)
{
    data = 42;
    write_in_section(&x, 1);
    return unused;
}

static void *receive(void *unused)
{
    if (read_in_section(&x))
        assert(data == 42);
    return unused;
}

static void *add(void *unused)
{
    heddle_atomic_begin();
    store(x, load(x, memory_order_relaxed) + 1, memory_order_relaxed);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    switch (SHAPE) {
    case 1:
        run(write_both, read_both);
        break;
    case 4:
        run(write_both, read_each);
        break;
    case 5:
        run(send, receive);
        break;
    case 6:
        run(add, add, add);
        assert(load(x, memory_order_relaxed) == 3);
        break;
    default:
        run(buffer_0, buffer_1);
        assert(seen[0] || seen[1]);
    }
}
