// The function that runs once wants a lock that a thread holds which waits for it.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void prepare(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
    pthread_once(&once, prepare);
    return unused;
}

static void nothing(void) {}

static void *second(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_once(&once, nothing);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
