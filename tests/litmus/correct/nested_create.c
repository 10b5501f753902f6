// Threads create threads: sums come back up the tree.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static void *sum(void *arg)
{
    intptr_t n = (intptr_t)arg;
    if (n == 0)
        return NULL;
    pthread_t child;
    void *below;
    pthread_create(&child, NULL, sum, (void *)(n - 1));
    pthread_join(child, &below);
    return (void *)(n + (intptr_t)below);
}

int main(void)
{
    pthread_t t;
    void *total;
    pthread_create(&t, NULL, sum, (void *)(intptr_t)3);
    pthread_join(t, &total);
    assert((intptr_t)total == 6);
    return 0;
}
