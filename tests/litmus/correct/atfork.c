// The handlers of pthread_atfork() take the locks in the order in which all take them.
// expect: no-violation-found
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
}

static void unlock(void)
{
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
}

static void *other(void *unused)
{
    lock();
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_atfork(lock, unlock, unlock);
    pthread_create(&a, NULL, other, NULL);
    if (fork() == 0)
        _exit(0);
    pthread_join(a, NULL);
    return 0;
}
