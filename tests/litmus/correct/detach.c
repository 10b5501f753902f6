// A detached thread says through a condition variable that it is done.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_detach(t) == 0);
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
