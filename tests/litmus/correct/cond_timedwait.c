// Time may run out; then the flag says what happened.
// expect: verified
// also: --memory rc11 => verified
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
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec at = in_a_second();
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    int status = 0;
    while (!ready && status == 0)
        status = pthread_cond_timedwait(&cond, &lock, &at);
    assert(ready || status == ETIMEDOUT);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(status == 0 || now.tv_sec >= at.tv_sec);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
