// Whether it was cancelled or not, a thread in sem_wait takes nothing with it.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;

static void *work(void *unused)
{
    sem_wait(&sem);
    sem_post(&sem);
    return unused;
}

static void *other(void *unused)
{
    sem_wait(&sem);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    void *result;
    int value;
    sem_init(&sem, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_cancel(a);
    pthread_join(a, &result);
    pthread_join(b, NULL);
    sem_getvalue(&sem, &value);
    assert(value == 0 && (result == NULL || result == PTHREAD_CANCELED));
    return 0;
}
