// __atomic_load_n and __atomic_store_n around an addition lose updates.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int sum;

static void *work(void *unused)
{
    int seen = __atomic_load_n(&sum, __ATOMIC_SEQ_CST);
    __atomic_store_n(&sum, seen + 3, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 6); /* violation */
    return 0;
}
