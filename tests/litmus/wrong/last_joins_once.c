// Nothing but joins follow in main, and the exit status is in the bytes of an object that a thread has used with pthread_once.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --memory rc11 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void nothing(void) {}

static void *uses(void *unused)
{
    if (!atomic_load(&x))
        pthread_once(&once, nothing);
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
    pthread_create(&t[0], NULL, uses, NULL);
    pthread_create(&t[1], NULL, stores, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); /* violation */
    return once != 0;
}
