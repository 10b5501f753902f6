// expect: no-violation-found
// options: --strategy auto
// also: --memory rc11 => no-violation-found
// also: --memory rc11 --polls 1 => no-violation-found
// Polling for a store that releases. Whoever has polled in vain as often as --polls says waits as if time stood
// still; that is no deadlock, although the other thread has ended.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *announce(void *unused)
{
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, announce, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        poll(NULL, 0, 10);
    pthread_join(thread, NULL);
    return 0;
}
