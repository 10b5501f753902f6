/* torn_pair.c, repaired. Writer and reader hold the lock. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int low, high = 10;

static void *shift(void *unused)
{
    pthread_mutex_lock(&lock);
    low = 20;
    high = 30;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, shift, NULL);
    pthread_mutex_lock(&lock);
    int from = low, to = high;
    pthread_mutex_unlock(&lock);
    assert(from <= to);
    pthread_join(t, NULL);
    pthread_mutex_destroy(&lock);
}
