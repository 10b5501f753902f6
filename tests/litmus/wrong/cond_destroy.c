// The condition variable goes while a thread may wait on it.
// expect: violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *cond, place;
static int ready;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(cond, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    cond = &place;
    pthread_cond_init(cond, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_destroy(cond); /* violation */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
