/* A wait with a deadline.  With -DFIXED the timeout is not taken for the event. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *announce(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec soon;
    pthread_create(&t, NULL, announce, NULL);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_mutex_lock(&lock);
    int late = 0;
    while (!ready && !late)
        late = pthread_cond_timedwait(&changed, &lock, &soon);
#ifdef FIXED
    assert(ready || late);
#else
    assert(ready);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
