// Objects may be destroyed as soon as nobody waits any more: threads that have been woken and are about
// to leave do not use them.
// expect: verified
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t together;
static int ready;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&together);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_cond_destroy(&changed); /* nobody can come to wait on it: ready is set */
    pthread_mutex_unlock(&lock);
    if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&together);
    pthread_join(t, NULL);
    return 0;
}
