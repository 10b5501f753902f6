// Test-and-set locks: A is the order of taking them, U of giving them back.  LOOP=1 spins with
// the exchange itself, LOOP=2 waits with loads in between, LOOP=3 is atomic_flag.
// case: LOOP=1 A=acquire U=release => verified
// case: LOOP=1 A=relaxed U=release => violation data-race
// case: LOOP=1 A=acquire U=relaxed => violation data-race
// case: LOOP=2 A=acquire U=release => verified
// case: LOOP=2 A=relaxed U=release => violation data-race
// case: LOOP=2 A=acquire U=relaxed => violation data-race
// case: LOOP=3 A=acquire U=release => verified
// case: LOOP=3 A=acquire U=relaxed => violation data-race
// case: LOOP=3 A=seq_cst U=seq_cst => verified
#include "orders.h"

static int n;
#if LOOP == 3
static atomic_flag taken = ATOMIC_FLAG_INIT;
#else
static atomic_int taken;
#endif

static void *count(void *unused)
{
#if LOOP == 1
    while (atomic_exchange_explicit(&taken, 1, A))
        ;
#elif LOOP == 2
    while (atomic_exchange_explicit(&taken, 1, A))
        while (load(taken, memory_order_relaxed))
            ;
#else
    while (atomic_flag_test_and_set_explicit(&taken, A))
        ;
#endif
    n++;
#if LOOP == 3
    atomic_flag_clear_explicit(&taken, U);
#else
    store(taken, 0, U);
#endif
    return unused;
}

int main(void)
{
    run(count, count);
    assert(n == 2);
}
