// That a lock cannot be taken shows that the other thread holds it, and orders nothing: neither C nor
// POSIX promises that what that thread did before is seen.
// expect: violation data-race
#include <pthread.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *unused)
{
    data = 42; /* race */
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    if (pthread_mutex_trylock(&mutex))
        seen = data; /* race */
    else
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return seen != 42;
}
