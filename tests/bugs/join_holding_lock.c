/* A thread is joined by one that holds the lock which it needs to end. */
// expect: violation deadlock
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    finished = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    int early = finished;
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    assert(early == 0 || early == 1);
}
