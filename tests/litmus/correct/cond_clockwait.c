// Nobody signals; after five seconds of the monotonic clock the wait is over.
// expect: verified
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static struct timespec in_a_second(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec++;
    return at;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec at = in_a_second();
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    struct timespec until = { 5, 0 };
    if (!ready)
        assert(pthread_cond_clockwait(&cond, &lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
