// A mutex is unlocked without having been made consistent, and used on.
// expect: violation assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;

static void *dies(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, dies, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0); /* violation */
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
    return 0;
}
