// Nothing but joins follow in main, and another thread has joined one of the threads in some executions only.
// expect: violation misuse
// also: --strategy graph --memory sc => violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *joins(void *other)
{
    if (!atomic_load(&x))
        pthread_join(*(pthread_t *)other, NULL);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, stores, NULL);
    pthread_create(&second, NULL, joins, &first);
    pthread_join(second, NULL);
    pthread_join(first, NULL); /* violation */
    return 0;
}
