// A handler that was registered before any thread existed, and runs when all are joined.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stored;

static void at_exit(void) { assert(atomic_load(&stored) == 1); }

static void *store(void *unused)
{
    atomic_store(&stored, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    atexit(at_exit);
    pthread_create(&thread, NULL, store, NULL);
    pthread_join(thread, NULL);
    return 0;
}
