// As wrong/posted_at_end.c, but the thread waits for the semaphore, and so is there when it is posted.
// expect: verified
// also: --memory rc11 => verified
// also: --strategy stateful => verified
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t *_Atomic ready;

static void *work(void *unused)
{
    sem_t own;
    sem_init(&own, 0, 0);
    ready = &own;
    sem_wait(&own);
    pthread_exit(unused);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!ready)
        ;
    sem_t *posted = ready;
    sem_post(posted);
    pthread_join(t, NULL);
    return 0;
}
