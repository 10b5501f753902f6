// A pointer with the orders that it needs is still open to ABA: the second allocation may get the address of the
// block that was freed first, and the compare-exchange takes it for that one.
// expect: violation assertion
// orders: weak
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int number;
};

static _Atomic(struct config *) current;
static atomic_int done;

static void *replace(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        struct config *new = malloc(sizeof *new);
        new->number = i;
        free(atomic_exchange_explicit(&current, new, memory_order_acq_rel));
    }
    atomic_store_explicit(&done, 1, memory_order_release);
    return unused;
}

static void *withdraw(void *first)
{
    struct config *expected = first;
    if (atomic_load_explicit(&done, memory_order_acquire)) {
        int same = atomic_compare_exchange_strong_explicit(
            &current, &expected, NULL, memory_order_acq_rel, memory_order_relaxed);
        assert(!same); /* violation */
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    struct config *first = malloc(sizeof *first);
    first->number = 0;
    atomic_store_explicit(&current, first, memory_order_relaxed);
    pthread_create(&one, NULL, replace, NULL);
    pthread_create(&two, NULL, withdraw, first);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
