// What a variable holds at first, for threads that are created one after the other.
//
// The first thread is created between the two stores: it reads 1 or 2.  HOW=2: it has ended and
// was joined before the second store, so it reads 1, and the second thread reads 2.
// case: HOW=1 ASSERT=1 => violation assertion
// case: HOW=1 ASSERT=2 => violation assertion
// case: HOW=1 ASSERT=0 => verified; 2
// case: HOW=2 ASSERT=0 => verified; 1
// case: HOW=2 ASSERT=1 => violation assertion
#include "orders.h"

#define relaxed memory_order_relaxed

static atomic_int x;

static void *reads(void *seen)
{
    *(int *)seen = load(x, relaxed);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    int seen = 0, other = 0;
    store(x, 1, relaxed);
    pthread_create(&first, 0, reads, &seen);
    if (HOW == 2)
        pthread_join(first, 0);
    store(x, 2, relaxed);
    pthread_create(&second, 0, reads, &other);
    if (HOW == 1)
        pthread_join(first, 0);
    pthread_join(second, 0);
    assert(seen != ASSERT);
    assert(other == 2);
}
