/* pool_shutdown.c, repaired. It is told under the lock. */
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int stop;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&work, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
