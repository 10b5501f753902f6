// Loading and storing an atomic object of 24 bytes are two steps: an addition may be lost.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct large {
    long a, b, c;
};
static _Atomic struct large large;

static void *work(void *unused)
{
    struct large old = atomic_load(&large);
    assert(old.a == old.b && old.b == old.c);
    atomic_store(&large, ((struct large){ old.a + 1, old.b + 1, old.c + 1 }));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    struct large now = large;
    assert(now.a == 2); /* violation */
    return 0;
}
