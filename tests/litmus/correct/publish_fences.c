// A release fence before a relaxed store, an acquire fence after the relaxed load that sees it.
// expect: verified
// orders: weak
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *publish(void *unused)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        seen = data;
    }
    pthread_join(thread, 0);
    return seen != 42;
}
