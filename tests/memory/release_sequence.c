// A release store, a relaxed operation of another thread, an acquire load.  A read-modify-write
// continues the release sequence, a store does not, also not one of the thread that released.
// case: HOW=1 => verified
// case: HOW=2 => violation data-race
// case: HOW=3 => violation data-race
#include "orders.h"

static int data;
static atomic_int y;

static void *first(void *unused)
{
    data = 1;
    store(y, 1, memory_order_release);
#if HOW == 3
    store(y, 2, memory_order_relaxed);
#endif
    return unused;
}

static __attribute__((unused)) void *second(void *unused)
{
#if HOW == 1
    int one = 1;
    atomic_compare_exchange_strong_explicit(&y, &one, 2, memory_order_relaxed,
                                            memory_order_relaxed);
#else
    if (load(y, memory_order_relaxed) == 1)
        store(y, 2, memory_order_relaxed);
#endif
    return unused;
}

static void *third(void *unused)
{
    if (load(y, memory_order_acquire) == 2)
        never(data != 1);
    return unused;
}

int main(void)
{
#if HOW == 3
    run(first, third);
#else
    run(first, second, third);
#endif
}
