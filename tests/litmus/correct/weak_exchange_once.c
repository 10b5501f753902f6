// Two threads try to take a flag by one strong compare-exchange each, which never fails spuriously.
// options: --faults cas:9
// expect: verified
// also: --memory rc11 --faults cas:9 => verified
// also: --memory tso --faults cas:9 => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken;
static atomic_int owners;

static void *take(void *unused)
{
    int free = 0;
    if (atomic_compare_exchange_strong_explicit(&taken, &free, 1, memory_order_acquire,
                                                memory_order_relaxed))
        atomic_fetch_add(&owners, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(owners == 1);
    return 0;
}
