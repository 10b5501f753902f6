/* The consumer takes the lock and then waits for an item, which the producer cannot deliver
 * without the lock. */
// expect: violation deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;
static int queue[2], used;

static void *produce(void *unused)
{
    pthread_mutex_lock(&lock);
    queue[used++] = 7;
    pthread_mutex_unlock(&lock);
    sem_post(&items);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, produce, NULL);
    pthread_mutex_lock(&lock);
    sem_wait(&items);
    int got = queue[--used];
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(got == 7);
}
