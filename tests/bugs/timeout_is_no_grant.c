/* After a wait with a time limit the thread goes on as if it had been granted. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *produce(void *unused)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec soon = { 0 };
    pthread_create(&t, NULL, produce, NULL);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_timedwait(&filled, &lock, &soon);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
