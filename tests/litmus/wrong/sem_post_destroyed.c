// The thread that waited destroys the semaphore while the other, which posts twice, has come to its second post.
// expect: violation misuse
// also: --reduce none => violation misuse
// also: --reduce source => violation misuse
// also: --strategy stateful => violation misuse
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *unused)
{
    sem_post(&done);
    sem_post(&done); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&done);
    sem_destroy(&done);
    pthread_join(t, NULL);
    return 0;
}
