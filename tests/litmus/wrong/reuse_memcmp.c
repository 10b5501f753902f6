// As reuse_compare, but the two addresses are compared by memcmp, as bytes of two records.
// expect: violation assertion
// also: --strategy stateful => violation assertion
// also: --reuse off => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct record {
    long kind;
    long *block;
};

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
    struct record seen = { 1, malloc(sizeof *seen.block) };
    *seen.block = 1;
    atomic_store(&current, seen.block);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, put, NULL);
    int n = atomic_load(&changes);
    struct record now = { 1, atomic_load(&current) };
    if (memcmp(&now, &seen, sizeof now) == 0)
        assert(n == 0); /* violation */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
