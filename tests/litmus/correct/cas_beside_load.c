// The load is atomic, as the compare-exchange is: there is no race.
// expect: verified
#include <assert.h>
#include <pthread.h>

static unsigned word;

static void *exchange(void *unused)
{
    unsigned none = 0;
    __atomic_compare_exchange_n(&word, &none, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, exchange, 0);
    __atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
    unsigned seen = __atomic_load_n(&word, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    assert(seen == 2);
    return 0;
}
