// Nothing but joins follow in main, and the result of one is the exit status.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --memory rc11 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *loads(void *unused)
{
    (void)unused;
    return atomic_load(&x) ? NULL : &x;
}

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    void *result;
    pthread_create(&first, NULL, loads, NULL);
    pthread_create(&second, NULL, stores, NULL);
    pthread_join(first, &result);
    pthread_join(second, NULL); /* violation */
    return result != NULL;
}
