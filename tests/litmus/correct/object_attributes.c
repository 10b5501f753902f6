// A condition variable with the monotonic clock; objects for several processes are accepted.
// expect: verified
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static pthread_rwlock_t rwlock;
static pthread_barrier_t barrier;

static void *work(void *unused)
{
    pthread_cond_signal(&cond);
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_condattr_t c;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    clockid_t clock;
    int shared;
    struct timespec at, now;
    pthread_condattr_init(&c);
    assert(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    pthread_cond_init(&cond, &c);
    pthread_condattr_destroy(&c);
    pthread_rwlockattr_init(&r);
    assert(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED) == 0);
    pthread_rwlock_init(&rwlock, &r);
    pthread_rwlockattr_destroy(&r);
    pthread_barrierattr_init(&b);
    assert(pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_getpshared(&b, &shared) == 0 && shared == PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&barrier, &b, 2);
    pthread_barrierattr_destroy(&b);
    pthread_create(&t, NULL, work, NULL);
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += 100;
    pthread_mutex_lock(&lock);
    int status = pthread_cond_timedwait(&cond, &lock, &at);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(status == 0 || now.tv_sec >= at.tv_sec);
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    return 0;
}
