// A lock is set back while its holder is at work: it can be had twice, and its first holder unlocks what
// the other has.
// expect: violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t locked;

static void *work(void *unused)
{
    sem_wait(&locked);
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    sem_post(&locked);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&locked, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    sem_post(&locked);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock); /* violation */
    return 0;
}
