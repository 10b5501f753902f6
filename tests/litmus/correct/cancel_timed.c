// A thread is cancelled in a timed wait, or its time runs out, or it is signalled.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *work(void *unused)
{
    struct timespec at = { 2000000000, 0 };
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    int status = pthread_cond_timedwait(&cond, &lock, &at);
    assert(status == 0 || status == ETIMEDOUT);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cond_signal(&cond);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == NULL || result == PTHREAD_CANCELED);
    assert(pthread_mutex_trylock(&lock) == 0);
    return 0;
}
