/* A bounded queue with a bug that testing hardly ever shows.
 *
 *     heddle check examples/bounded_queue.c
 *
 * A consumer that finds the queue empty waits; when it wakes it believes that there is an item.
 * But between the signal and the moment when it has the lock again another consumer may have
 * come by and taken it.  `if` must be `while`:
 *
 *     heddle check --cc-flags -DFIXED examples/bounded_queue.c */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 2
#define ITEMS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int items[CAPACITY];
static int head, count;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == CAPACITY)
        pthread_cond_wait(&not_full, &lock);
    items[(head + count) % CAPACITY] = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (count == 0)
#else
    if (count == 0)
#endif
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0);
    int item = items[head];
    head = (head + 1) % CAPACITY;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *consumer(void *name)
{
    printf("%s took %d\n", (const char *)name, take());
    return NULL;
}

int main(void)
{
    pthread_t ann, bob;
    pthread_create(&ann, NULL, consumer, "ann");
    pthread_create(&bob, NULL, consumer, "bob");
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    pthread_join(ann, NULL);
    pthread_join(bob, NULL);
    return 0;
}
