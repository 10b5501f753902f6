// The allocation stands inside an atomic section; its address may still be that of the freed block.
// expect: violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(long *) current;

static void *replace(void *unused)
{
    free(atomic_exchange(&current, NULL));
    heddle_atomic_begin();
    long *fresh = malloc(sizeof *fresh);
    *fresh = 2;
    atomic_store(&current, fresh);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t id;
    long *first = malloc(sizeof *first), *seen = first;
    *first = 1;
    atomic_store(&current, first);
    pthread_create(&id, NULL, replace, NULL);
    pthread_join(id, NULL);
    assert(!atomic_compare_exchange_strong(&current, &seen, NULL)); /* violation */
    return 0;
}
