/* The message is published without release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int message;
static _Atomic int ready;

static void *sender(void *unused)
{
    atomic_store_explicit(&message, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *receiver(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 42);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
