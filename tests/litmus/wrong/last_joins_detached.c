// Nothing but joins follow in main, and one of the threads has detached itself in some executions only.
// expect: violation misuse
// also: --strategy graph --memory sc => violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *detaches(void *unused)
{
    atomic_store(&y, 1);
    if (atomic_load(&x))
        pthread_detach(pthread_self());
    return unused;
}

static void *stores(void *unused)
{
    if (!atomic_load(&y))
        atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, detaches, NULL);
    pthread_create(&t[1], NULL, stores, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); /* violation */
    return 0;
}
