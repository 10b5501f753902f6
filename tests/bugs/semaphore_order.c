/* Two semaphores are taken in opposite orders. */
// expect: violation deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t printer, scanner;

static void *copy(void *unused)
{
    sem_wait(&scanner);
    sem_wait(&printer);
    sem_post(&printer);
    sem_post(&scanner);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&printer, 0, 1);
    sem_init(&scanner, 0, 1);
    pthread_create(&t, NULL, copy, NULL);
    sem_wait(&printer);
    sem_wait(&scanner);
    sem_post(&scanner);
    sem_post(&printer);
    pthread_join(t, NULL);
}
