/* Prod-Cons: a bounded buffer between a producer and a consumer. */
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 6
#endif
#define SIZE 2

static struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[SIZE], n, in, out;
} buffer = { PTHREAD_MUTEX_INITIALIZER,
             PTHREAD_COND_INITIALIZER,
             PTHREAD_COND_INITIALIZER,
             { 0 },
             0,
             0,
             0 };
static int made, sum;

static void put(struct buffer *b, int item)
{
    pthread_mutex_lock(&b->lock);
    while (b->n == SIZE)
        pthread_cond_wait(&b->not_full, &b->lock);
    b->items[b->in] = item;
    b->in = (b->in + 1) % SIZE;
    b->n++;
    pthread_cond_signal(&b->not_empty);
    pthread_mutex_unlock(&b->lock);
}

static int get(struct buffer *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->n == 0)
        pthread_cond_wait(&b->not_empty, &b->lock);
    int item = b->items[b->out];
    b->out = (b->out + 1) % SIZE;
    b->n--;
    pthread_cond_signal(&b->not_full);
    pthread_mutex_unlock(&b->lock);
    return item;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        put(&buffer, i);
        made++;
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        sum += get(&buffer);
    return unused;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(made == ITEMS && sum == ITEMS * (ITEMS + 1) / 2);
    return 0;
}
