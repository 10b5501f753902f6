// Whoever finds the lock of a thread that has ended repairs what it guards.
// expect: verified
// executions: 2
// (who locks first)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int x, y;

static void *dies(void *unused)
{
    if (pthread_mutex_lock(&lock) == 0)
        x++;
    return unused;
}

static void *repairs(void *unused)
{
    int status = pthread_mutex_lock(&lock);
    assert(status == 0 || status == EOWNERDEAD);
    if (status == EOWNERDEAD) {
        y = x;
        assert(pthread_mutex_consistent(&lock) == 0);
    }
    assert(x == y);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&a, NULL, dies, NULL);
    pthread_create(&b, NULL, repairs, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
