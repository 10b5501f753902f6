// A semaphore is used after sem_destroy.
// expect: violation misuse
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;

static void *work(void *unused)
{
    sem_post(&sem); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    sem_destroy(&sem);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
