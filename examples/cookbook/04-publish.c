/* Data are published by a flag.  With -DFIXED the flag is stored with release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static atomic_int data, ready;

static void *write_it(void *unused)
{
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, PUBLISH);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_it, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
    pthread_join(t, NULL);
}
