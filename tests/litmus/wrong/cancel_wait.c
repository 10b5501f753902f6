// A thread is cancelled in a wait and takes the lock with it.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int never;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!never)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
