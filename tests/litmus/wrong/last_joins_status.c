// Nothing but joins follow in main, and the exit status is what main has loaded before.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --memory rc11 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    (void)atomic_load(&y);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, stores, NULL);
    int status = atomic_load(&x);
    atomic_store(&y, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); /* violation */
    return status;
}
