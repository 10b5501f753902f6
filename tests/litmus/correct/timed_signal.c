// A timed waiter takes an item, or leaves it there.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int items;

static void *impatient(void *unused)
{
    struct timespec at = { 2000000000, 0 };
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_timedwait(&cond, &lock, &at);
    if (items > 0)
        items--;
    else
        pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, impatient, NULL);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(items == 0 || items == 1);
    return 0;
}
