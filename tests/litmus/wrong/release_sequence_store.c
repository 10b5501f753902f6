// A relaxed store of the same thread ends the release sequence (C++20): a load that reads it acquires nothing.
// expect: violation data-race
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *publish(void *unused)
{
    data = 42; /* race */
    atomic_store_explicit(&ready, 1, memory_order_release);
    atomic_store_explicit(&ready, 2, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
        seen = data; /* race */
    pthread_join(thread, 0);
    return seen != 42;
}
