/* The signal is sent before the state changes, without the lock. */
// expect: violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int open;

static void *opener(void *unused)
{
    pthread_cond_signal(&changed);
    open = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, opener, NULL);
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
