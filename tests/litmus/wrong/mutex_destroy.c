// A mutex is destroyed while another thread may still hold it.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    pthread_join(t, NULL);
    return 0;
}
