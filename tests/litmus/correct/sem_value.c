// The value says whether the other has been there.  It orders nothing, so the flag is atomic.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;
static _Atomic int ready;

static void *producer(void *unused)
{
    ready = 1;
    sem_post(&sem);
    return unused;
}

static void *consumer(void *unused)
{
    int value;
    sem_getvalue(&sem, &value);
    assert(value == 0 || (value == 1 && ready));
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
