// The end of a timed wait is taken for the signal.
// expect: violation assertion
// also: --memory rc11 => violation assertion
// also: --no-timeouts => no-violation-found
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
    if (!ready)
        pthread_cond_timedwait(&cond, &lock, &at);
    assert(ready); /* violation */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
