/* The reference count goes down, and is then looked at: both owners see that nobody is
 * left. */
// expect: violation memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct object {
    atomic_int owners;
} *shared;

static void *drop(void *unused)
{
    shared->owners--;
    int left = shared->owners;
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
