// A relaxed store in one of two orders.
// expect: verified
// orders: weak
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *arg)
{
    if (atomic_fetch_add(&x, 1) == 1)
        atomic_store_explicit(&x, 7, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    run(NULL);
    pthread_join(t, NULL);
    return 0;
}
