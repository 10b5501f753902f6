/* A pool that is shut down while work is queued.  With -DFIXED workers empty the
 * queue first. */
#include <assert.h>
#include <pthread.h>

static int queued, done, closing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
#ifdef FIXED
        while (!queued && !closing)
            pthread_cond_wait(&changed, &lock);
        if (!queued)
            break;
#else
        while (!queued && !closing)
            pthread_cond_wait(&changed, &lock);
        if (closing)
            break;
#endif
        queued--;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    queued++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    closing = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(done == 1);
}
