// The call returns the old ceiling, not the new one.
// expect: violation assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock, plain = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    int ceiling, before;
    assert(pthread_mutex_getprioceiling(&plain, &ceiling) == EINVAL);
    assert(pthread_mutex_getprioceiling(&lock, &ceiling) == 0 && ceiling == 10);
    assert(pthread_mutex_setprioceiling(&lock, 20, &before) == 0 && before == 20); /* violation */
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 10);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
