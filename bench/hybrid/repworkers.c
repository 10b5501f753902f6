/* Rep Workers: replicated workers take items from a pool and put the halves of large ones back, until
 * all are done.  -DERROR: who takes an item counts as busy only after it has given the lock back, so
 * another may believe that nothing will come any more. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef WORK
#define WORK 4
#endif

struct item {
    int size;
    struct item *next;
};

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct item *items;
    int busy, done;
} pool = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0 };
static int results[WORKERS];

static void put(int size)
{
    struct item *item = malloc(sizeof *item);
    item->size = size;
    pthread_mutex_lock(&pool.lock);
    assert(!pool.done);
    item->next = pool.items;
    pool.items = item;
    pthread_cond_signal(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

static struct item *take(void)
{
    pthread_mutex_lock(&pool.lock);
    while (!pool.items && pool.busy)
        pthread_cond_wait(&pool.changed, &pool.lock);
    struct item *item = pool.items;
    if (item)
        pool.items = item->next;
    else
        pool.done = 1;
#ifndef ERROR
    if (item)
        pool.busy++;
#endif
    pthread_mutex_unlock(&pool.lock);
#ifdef ERROR
    pthread_mutex_lock(&pool.lock);
    if (item)
        pool.busy++;
    pthread_mutex_unlock(&pool.lock);
#endif
    return item;
}

static void *worker(void *arg)
{
    int me = *(int *)arg;
    struct item *item;
    while ((item = take())) {
        if (item->size > 1) {
            put(item->size / 2);
            put(item->size - item->size / 2);
        } else {
            results[me]++;
        }
        free(item);
        pthread_mutex_lock(&pool.lock);
        pool.busy--;
        pthread_cond_broadcast(&pool.changed);
        pthread_mutex_unlock(&pool.lock);
    }
    return NULL;
}

int main(void)
{
    static int number[WORKERS];
    pthread_t t[WORKERS];
    int sum = 0;
    put(WORK);
    for (int i = 0; i < WORKERS; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, worker, &number[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(t[i], NULL);
        sum += results[i];
    }
    assert(sum == WORK);
    return 0;
}
