// A thread is joined by one that holds the lock it needs; main goes on and ends.
// expect: violation deadlock
// also: --memory rc11 => violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;
static atomic_int ready;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *stop(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_join(worker, NULL);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t stopper;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&stopper, NULL, stop, NULL);
    pthread_detach(stopper);
    atomic_store(&ready, 1);
    return 0;
}
