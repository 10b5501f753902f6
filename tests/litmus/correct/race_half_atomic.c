// Two atomic accesses are no race, whatever they do; reads are none either.
// expect: verified
#include <pthread.h>
#include <stddef.h>

static int hits, limit = 3;

static void *count(void *unused)
{
    if (limit > 2)
        __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *reset(void *unused)
{
    if (limit < 10)
        __atomic_store_n(&hits, 0, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, reset, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
