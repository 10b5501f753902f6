// A spinlock of readers and writers: the number of readers, or -1 for a writer.  All four orders
// are needed: a reader comes after the writer (A, V), and a writer after the reader (W, B).
//
// case: A=acquire B=release W=acquire V=release N=2 => verified
// case: A=acquire B=release W=acquire V=release N=3 => verified
// case: A=relaxed B=release W=acquire V=release N=2 => violation data-race
// case: A=acquire B=relaxed W=acquire V=release N=2 => violation data-race
// case: A=acquire B=release W=relaxed V=release N=2 => violation data-race
// case: A=acquire B=release W=acquire V=relaxed N=2 => violation data-race
#include "orders.h"

static atomic_int state;
static int left, right;

#define try(from, to, order)                                                                     \
    atomic_compare_exchange_strong_explicit(&state, &(int){ from }, to, order,                   \
                                            memory_order_relaxed)

static void *reader(void *unused)
{
    for (;;) {
        int readers = load(state, memory_order_relaxed);
        if (readers >= 0 && try(readers, readers + 1, A))
            break;
    }
    assert(left == right);
    atomic_fetch_sub_explicit(&state, 1, B);
    return unused;
}

static void *writer(void *unused)
{
    while (!try(0, -1, W))
        ;
    left++;
    right++;
    store(state, 0, V);
    return unused;
}

int main(void)
{
#if N == 3
    run(reader, writer, reader);
#else
    run(reader, writer);
#endif
    assert(left == 1);
}
