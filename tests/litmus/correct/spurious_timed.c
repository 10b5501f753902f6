// A loop around the timed wait does not mind wake-ups without a signal.
// expect: verified
// options: --spurious 2
// also: --spurious 2 --reduce none => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

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
    const struct timespec at = { 2000000000, 0 };
    int late = 0;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready && !late)
        late = pthread_cond_timedwait(&cond, &lock, &at) != 0;
    assert(late || ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
