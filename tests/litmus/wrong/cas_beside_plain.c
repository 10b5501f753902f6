// The compare-exchange that succeeded races with the plain read: the store between them orders
// nothing.  The two never stand side by side, since after the store the compare-exchange fails.
// expect: violation data-race
#include <assert.h>
#include <pthread.h>

static unsigned word;

static void *exchange(void *unused)
{
    __sync_bool_compare_and_swap(&word, 0, 1); /* race */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, exchange, 0);
    __atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
    unsigned seen = word; /* race */
    pthread_join(thread, 0);
    assert(seen == 2);
    return 0;
}
