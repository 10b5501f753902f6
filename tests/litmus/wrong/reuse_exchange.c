// ABA: the configuration that is exchanged twice may lie at its old address again, and the
// compare-exchange takes it for the one that was read.
// expect: violation assertion
// also: --strategy brute => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy source -j 2 => violation assertion
// also: --reuse all => violation assertion
// also: --reuse off => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    long value;
};
static _Atomic(struct config *) current;
static int replaced; /* the first configuration, by the other thread */

static void *update(void *unused)
{
    for (int i = 0; i < 2; i++) {
        struct config *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        struct config *old = atomic_exchange(&current, fresh);
        if (i == 0 && old)
            replaced = 1;
        free(old);
    }
    return unused;
}

int main(void)
{
    struct config *first = malloc(sizeof *first);
    pthread_t id;
    first->value = -1;
    atomic_store(&current, first);
    pthread_create(&id, NULL, update, NULL);
    struct config *old = first;
    int taken = atomic_compare_exchange_strong(&current, &old, NULL);
    pthread_join(id, NULL);
    assert(!(taken && replaced)); /* violation */
    return 0;
}
