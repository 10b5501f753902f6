// The second thread is created when the first one is seen to hold the lock.  That orders nothing, also
// when the first thread has ended by then: nobody has joined it.
// expect: violation data-race
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *first(void *unused)
{
    data = 1;
    pthread_mutex_lock(&lock);
    return unused;
}

static void *second(void *unused)
{
    data = 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    if (pthread_mutex_trylock(&lock) != 0) {
        pthread_create(&b, 0, second, 0);
        pthread_join(b, 0);
    } else {
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, 0);
    return 0;
}
