/* The flag is looked at outside the mutex: the signal may come between the look and the wait. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex_of_the_queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t the_queue_is_not_empty = PTHREAD_COND_INITIALIZER;
static atomic_int items_in_the_queue;

static void *consumer(void *unused)
{
    if (items_in_the_queue == 0) {
        pthread_mutex_lock(&mutex_of_the_queue);
        pthread_cond_wait(&the_queue_is_not_empty, &mutex_of_the_queue);
        pthread_mutex_unlock(&mutex_of_the_queue);
    }
    items_in_the_queue--;
    return unused;
}

static void *producer(void *unused)
{
    items_in_the_queue++;
    pthread_mutex_lock(&mutex_of_the_queue);
    pthread_cond_signal(&the_queue_is_not_empty);
    pthread_mutex_unlock(&mutex_of_the_queue);
    return unused;
}

int main(void)
{
    pthread_t c, p;
    pthread_create(&c, 0, consumer, 0);
    pthread_setname_np(c, "consumer");
    pthread_create(&p, 0, producer, 0);
    pthread_setname_np(p, "producer");
    pthread_join(c, 0);
    pthread_join(p, 0);
}
