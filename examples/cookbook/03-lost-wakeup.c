/* A thread waits for a flag.  With -DFIXED the flag is set under the lock. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *announce(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    ready = 1;
    pthread_cond_signal(&changed);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, announce, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
