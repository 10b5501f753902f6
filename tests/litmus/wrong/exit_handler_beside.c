// A handler that was registered before any thread existed runs beside one.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stored;

static void at_exit(void) { assert(atomic_load(&stored) == 0); /* violation */ }

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
    pthread_detach(thread);
    return 0;
}
