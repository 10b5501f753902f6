// Atomic variables in memory that is given back and used again, and on stacks whose depth a load
// decides.  Each reads its own values only, whatever was at the address in another execution.
//
// HOW=1: mo of x has two orders; in each, one thread's two loads read 3 pairs that do not go back.
// HOW=2: two threads read 0, 1 or 2 and make as many blocks.  HOW=3: the same with frames, one thread.
// case: HOW=1 => verified; 6
// case: HOW=2 => verified; 9
// case: HOW=3 => verified; 3
#include "orders.h"

#include <stdlib.h>

#define relaxed memory_order_relaxed

static atomic_int x;

static __attribute__((unused)) void *two_stores(void *unused)
{
    store(x, 1, relaxed);
    store(x, 2, relaxed);
    return unused;
}

static void use(int id)
{
    store(x, id, relaxed);
    (void)load(x, relaxed);
    atomic_int *p = malloc(sizeof *p);
    atomic_init(p, id);
    assert(load(*p, relaxed) == id);
    store(*p, id + 10, relaxed);
    assert(load(*p, relaxed) == id + 10);
    (void)load(x, relaxed);
    free(p);
}

static __attribute__((unused)) void *use_first(void *unused)
{
    use(1);
    return unused;
}

static __attribute__((unused)) void *use_second(void *unused)
{
    use(2);
    return unused;
}

static __attribute__((unused)) void *blocks(void *unused)
{
    int n = load(x, relaxed);
    atomic_int *p[3];
    for (int i = 0; i <= n; i++) {
        p[i] = malloc(sizeof *p[i]);
        atomic_init(p[i], i + n);
    }
    for (int i = 0; i <= n; i++) {
        assert(load(*p[i], relaxed) == i + n);
        store(*p[i], 50, relaxed);
        assert(load(*p[i], relaxed) == 50);
        free(p[i]);
    }
    return unused;
}

static void frame(int n, int value)
{
    atomic_int local;
    atomic_init(&local, value + n);
    assert(load(local, relaxed) == value + n);
    store(local, 9, relaxed);
    if (n)
        frame(n - 1, value);
    assert(load(local, relaxed) == 9);
}

static __attribute__((unused)) void *frames(void *unused)
{
    int n = load(x, relaxed);
    frame(n, n * 10);
    frame(2 - n, n * 7);
    return unused;
}

int main(void)
{
#if HOW == 1
    run(use_first, use_second);
#elif HOW == 2
    run(blocks, two_stores, blocks);
#else
    run(frames, two_stores);
#endif
}
