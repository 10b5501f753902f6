// An address is remembered and compared with the present one: equal, so nothing has changed?  The
// first block may have been freed, and its address given out again.  One thread frees, another
// allocates: only the allocator connects them.
// expect: violation assertion
// also: --strategy brute => violation assertion
// also: --strategy stateful => violation assertion
// also: --reuse off => no-violation-found
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
    free(mine);
    return unused;
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
    *seen = 1;
    atomic_store(&current, seen);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, put, NULL);
    long *now = atomic_load(&current);
    int n = atomic_load(&changes);
    if (now == seen)
        assert(n == 0 || atomic_load(&current) != now); /* violation */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
