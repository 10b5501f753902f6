// Both threads sleep between the flag and the data, and the flag is relaxed.  Sleeping orders nothing.
// expect: violation data-race
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int data;
static atomic_int ready;

static void *publish(void *unused)
{
    data = 42; /* race */
    usleep(1);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        usleep(1);
        seen = data; /* race */
    }
    pthread_join(thread, 0);
    return seen != 42;
}
