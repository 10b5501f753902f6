// The program assumes that a second is enough.
// expect: violation assertion data-race
// also: --no-timeouts => no-violation-found
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t sem;
static int ready;

static void *producer(void *unused)
{
    ready = 1;
    sem_post(&sem);
    return unused;
}

static void *consumer(void *unused)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec++;
    sem_timedwait(&sem, &at);
    assert(ready); /* violation */
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
