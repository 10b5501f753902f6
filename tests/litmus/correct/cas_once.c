// Two threads try to take a place by compare-and-swap: exactly one gets it.
// expect: verified
// executions: 2
// (who comes first; the other's failure is a read)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int place;

static void *work(void *id)
{
    int expected = 0;
    int won = atomic_compare_exchange_strong(&place, &expected, (int)(intptr_t)id);
    return (void *)(intptr_t)won;
}

int main(void)
{
    pthread_t a, b;
    void *won_a, *won_b;
    pthread_create(&a, NULL, work, (void *)(intptr_t)1);
    pthread_create(&b, NULL, work, (void *)(intptr_t)2);
    pthread_join(a, &won_a);
    pthread_join(b, &won_b);
    assert((won_a != NULL) + (won_b != NULL) == 1);
    return 0;
}
