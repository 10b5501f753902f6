// The compare-exchange acquires what it read when it fails, too.
// expect: verified
// orders: weak
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *publish(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    int none = 0;
    if (!atomic_compare_exchange_strong_explicit(&ready, &none, 5, memory_order_acq_rel,
                                                 memory_order_acquire))
        seen = data;
    pthread_join(thread, 0);
    return seen != 42;
}
