// The wait stands in an `if`, not in a loop: it may end without a signal, and before its time.
// expect: violation assertion
// options: --spurious 1
// also: --spurious 0 => verified
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
    if (!ready)
        late = pthread_cond_timedwait(&cond, &lock, &at) != 0;
    assert(late || ready); /* violation */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
