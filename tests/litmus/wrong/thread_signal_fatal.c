// A signal that nobody handles, sent to one thread, ends the whole process.
// expect: violation crash
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t sem;

static void *work(void *unused)
{
    sem_wait(&sem);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGTERM); /* violation */
    pthread_join(t, NULL);
    return 0;
}
