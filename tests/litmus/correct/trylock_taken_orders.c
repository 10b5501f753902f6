// A lock that is taken orders: what the other thread did while it held it is seen.
// expect: verified
#include <pthread.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *unused)
{
    pthread_mutex_lock(&mutex);
    data = 42;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    if (pthread_mutex_trylock(&mutex) == 0) {
        seen = data ? data : 42;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, 0);
    return seen != 42;
}
