/* A bounded queue with a bug that testing hardly ever shows.
 *
 *     heddle check examples/bounded_queue.c
 *
 * A consumer that finds the queue empty waits; when it wakes it believes that there is an item.
 * But between the signal and the moment when it has the lock again another consumer may have come
 * by and taken it.  `if` must be `while`:
 *
 *     heddle check --cc-flags -DFIXED examples/bounded_queue.c */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 2
#define ITEMS 2

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[CAPACITY];
    int head, count;
};

static struct queue queue = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, { 0 }, 0, 0
};

static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->head + q->count) % CAPACITY] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int take(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
#ifdef FIXED
    while (q->count == 0)
#else
    if (q->count == 0)
#endif
        pthread_cond_wait(&q->not_empty, &q->lock);
    assert(q->count > 0);
    int item = q->items[q->head];
    q->head = (q->head + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *consumer(void *name)
{
    printf("%s took %d\n", (const char *)name, take(&queue));
    return NULL;
}

int main(void)
{
    pthread_t ann, bob;
    pthread_create(&ann, NULL, consumer, "ann");
    pthread_create(&bob, NULL, consumer, "bob");
    for (int i = 1; i <= ITEMS; i++)
        put(&queue, i);
    pthread_join(ann, NULL);
    pthread_join(bob, NULL);
    return 0;
}
