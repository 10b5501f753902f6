// A thread is cancelled in a wait; its cleanup handler gives the lock back.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int never;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    while (!never)
        pthread_cond_wait(&cond, &lock);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
