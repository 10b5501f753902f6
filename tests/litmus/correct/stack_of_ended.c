// The thread lives as long as its variable is used.
// expect: verified
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static int *handed;
static sem_t given, used;

static void *lend(void *unused)
{
    int local = 0;
    handed = &local;
    sem_post(&given);
    sem_wait(&used);
    return unused;
}

static void *use(void *unused)
{
    sem_wait(&given);
    *handed = 1;
    sem_post(&used);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&given, 0, 0);
    sem_init(&used, 0, 0);
    pthread_create(&u, NULL, use, NULL);
    pthread_create(&t, NULL, lend, NULL);
    pthread_join(u, NULL);
    pthread_join(t, NULL);
    return 0;
}
