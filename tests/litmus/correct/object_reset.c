// Objects that an assignment makes new after their threads have been joined: the once function runs
// again, and the mutex can be locked again although it was held.
// expect: verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void count(void) { n++; }

static void *work(void *unused)
{
    pthread_once(&once, count);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 1);
    pthread_mutex_lock(&lock);
    once = (pthread_once_t)PTHREAD_ONCE_INIT;
    pthread_once(&once, count);
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_create(&a, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    assert(n == 2);
    return 0;
}
