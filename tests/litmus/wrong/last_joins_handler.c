// Nothing but joins follow in main, and a thread has added an exit handler in some executions only.
// expect: violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;

static void fails(void) { assert(!"it is run"); /* violation */ }

static void *adds(void *unused)
{
    if (atomic_load(&x))
        atexit(fails);
    return unused;
}

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, adds, NULL);
    pthread_create(&t[1], NULL, stores, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
