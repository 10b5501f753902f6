// The thread detaches itself; if it does so before it is joined, joining is undefined.
// expect: violation misuse
// options: --keep-going
// also: --keep-going --reduce none => violation misuse
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t detached;

static void *work(void *unused)
{
    pthread_detach(pthread_self());
    sem_post(&detached);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&detached, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&detached);
    pthread_join(t, NULL); /* violation */
    return 0;
}
