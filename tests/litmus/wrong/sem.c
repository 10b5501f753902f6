// A semaphore of 2 lets both in.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;
static int inside;

static void *work(void *unused)
{
    sem_wait(&sem);
    assert(inside == 0); /* violation */
    inside = 1;
    inside = 0;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, 2);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&sem);
    return 0;
}
