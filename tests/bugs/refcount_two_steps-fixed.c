/* refcount_two_steps.c, repaired. Each looks at what its own step has left. */
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct object {
    atomic_int owners;
} *shared;

static void *drop(void *unused)
{
    int left = atomic_fetch_sub(&shared->owners, 1) - 1;
    if (left == 0)
        free(shared);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    shared->owners = 2;
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
