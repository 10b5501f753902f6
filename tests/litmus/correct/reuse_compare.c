// The block is freed only when nobody compares its address any more.
// expect: verified
// also: --strategy stateful => verified
// also: --reuse all => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(long *) current;
static atomic_int changes;

static void *take(void *unused)
{
    long *mine = atomic_exchange(&current, NULL);
    atomic_fetch_add(&changes, 1);
    (void)unused;
    return mine;
}

static void *put(void *unused)
{
    long *block = malloc(sizeof *block);
    if (block) {
        *block = 2;
        atomic_store(&current, block);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    long *seen = malloc(sizeof *seen);
    void *taken;
    *seen = 1;
    atomic_store(&current, seen);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, put, NULL);
    int n = atomic_load(&changes);
    long *now = atomic_load(&current);
    if (now == seen)
        assert(n == 0);
    pthread_join(a, &taken);
    pthread_join(b, NULL);
    free(taken);
    return 0;
}
