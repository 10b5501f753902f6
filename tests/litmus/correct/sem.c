// A semaphore of 1 is a lock.
// expect: verified
// executions: 2
// (who comes first)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;
static int inside;

static void *work(void *unused)
{
    sem_wait(&sem);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&sem);
    return 0;
}
