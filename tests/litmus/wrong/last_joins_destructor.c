// Nothing but joins follow in main, and it has a thread_local object whose destructor loads what a thread has left.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --memory rc11 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso);

static atomic_int x;
static int left;

static void *loads(void *unused)
{
    left = !atomic_load(&x);
    return unused;
}

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void destroys(void *unused)
{
    (void)unused;
    if (left)
        abort(); /* violation */
}

int main(void)
{
    pthread_t t[2];
    __cxa_thread_atexit(destroys, NULL, NULL);
    pthread_create(&t[0], NULL, loads, NULL);
    pthread_create(&t[1], NULL, stores, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
