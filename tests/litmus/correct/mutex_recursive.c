// A recursive mutex may be locked again by its owner and is free after as many unlocks.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int counter;

static void add(int depth)
{
    pthread_mutex_lock(&lock);
    counter++;
    if (depth > 0)
        add(depth - 1);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    add(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_create(&t, NULL, work, NULL);
    add(1);
    pthread_join(t, NULL);
    assert(counter == 4);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
