// A relaxed counter.  Read-modify-writes are atomic with every order: three of them are in 3! orders.
// A load and a store are not.
// case: O=relaxed => verified; 6
// case: O=seq_cst => verified; 6
// case: O=relaxed SPLIT=1 => violation assertion
// case: O=seq_cst SPLIT=1 => violation assertion
#include "orders.h"

static atomic_int n;

static void *count(void *unused)
{
#ifdef SPLIT
    store(n, load(n, O) + 1, O);
#else
    atomic_fetch_add_explicit(&n, 1, O);
#endif
    return unused;
}

int main(void)
{
    run(count, count, count);
    assert(n == 3);
}
