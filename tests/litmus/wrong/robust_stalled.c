// The mutex is not a robust one: it stays locked for ever.
// expect: violation deadlock
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
    (void)status;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_STALLED);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&a, NULL, dies, NULL);
    pthread_create(&b, NULL, repairs, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
