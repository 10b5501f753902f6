// What x86 keeps and C11 does not: stores of a thread become visible in their order, to all threads
// in the same order, and loads are not reordered.  Plain accesses that race are explored, too.
//
// HOW=1: message passing: data, then a flag, both plain: whoever reads the flag reads the data; 3
// executions.  HOW=2: independent reads of independent writes agree about the order; 15 of 16.
// HOW=3: a thread reads its own store early, from its buffer: both threads read their own 1
// first and the other one's 0 (this is no total order of all accesses).  HOW=4: two stores of one
// variable, and a reader that sees them in turn: 3 values, 6 pairs that do not go back.
// case: memory=tso HOW=1 => verified; 3
// case: memory=tso HOW=2 => verified; 15
// case: memory=tso HOW=3 => violation assertion
// case: memory=sc HOW=3 => no-violation-found; 3
// case: memory=tso HOW=4 => verified; 6
#include "orders.h"

#define relaxed memory_order_relaxed

static atomic_int x, y;
static int data, flag;
static int seen[4];

static void *zero(void *unused)
{
    if (HOW == 1) {
        data = 1;
        flag = 1;
    } else if (HOW == 4) {
        data = 1;
        data = 2;
    } else {
        store(x, 1, relaxed);
    }
    if (HOW == 3) {
        seen[0] = load(x, relaxed);
        seen[1] = load(y, relaxed);
    }
    return unused;
}

static void *one(void *unused)
{
    if (HOW == 1) {
        seen[0] = flag;
        seen[1] = data;
    } else if (HOW == 4) {
        seen[0] = data;
        seen[1] = data;
    } else {
        store(y, 1, relaxed);
    }
    if (HOW == 3) {
        seen[2] = load(y, relaxed);
        seen[3] = load(x, relaxed);
    }
    return unused;
}

static void *two(void *unused)
{
    seen[0] = load(x, relaxed);
    seen[1] = load(y, relaxed);
    return unused;
}

static void *three(void *unused)
{
    seen[2] = load(y, relaxed);
    seen[3] = load(x, relaxed);
    return unused;
}

int main(void)
{
    static void *(*const all[])(void *) = { zero, one, two, three };
    pthread_t threads[4];
    int n = HOW == 2 ? 4 : 2;
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, all[i], 0);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    if (HOW == 1)
        assert(!seen[0] || seen[1]);
    if (HOW == 2)
        assert(!(seen[0] && !seen[1] && seen[2] && !seen[3]));
    if (HOW == 3)
        assert(!(seen[0] && !seen[1] && seen[2] && !seen[3]));
    if (HOW == 4)
        assert(seen[0] <= seen[1]);
}
