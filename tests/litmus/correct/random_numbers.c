// rand is seeded: the same seed gives the same numbers, in every execution.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    srand(7);
    int first = rand();
    srand(7);
    assert(rand() == first && first >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    unsigned a = 5, b = 5;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    assert(rand_r(&a) == rand_r(&b));
    pthread_join(t, NULL);
    return 0;
}
