// What is done before an arrival happens before what is done after the barrier, in its round only.
// The arrivals come in two orders.
// WHEN=1: who leaves reads the new value; either of the two may be the serial thread: 2 * 2.
// WHEN=2: the store comes after the barrier.
// WHEN=3: two rounds of one thread each order nothing, so that the load reads either value in
// both orders: 2 * 2.
// case: WHEN=1 => verified; 4
// case: WHEN=2 => violation assertion
// case: WHEN=3 => verified; 4
#include "orders.h"

static pthread_barrier_t barrier;
static atomic_int data;

static void *first(void *unused)
{
    if (WHEN != 2)
        atomic_store_explicit(&data, 1, memory_order_relaxed);
    pthread_barrier_wait(&barrier);
    if (WHEN == 2)
        atomic_store_explicit(&data, 1, memory_order_relaxed);
    return unused;
}

static void *second(void *unused)
{
    pthread_barrier_wait(&barrier);
    int seen = atomic_load_explicit(&data, memory_order_relaxed);
    assert(seen == 1 || WHEN == 3);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, WHEN == 3 ? 1 : 2);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
