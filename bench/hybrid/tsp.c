/* TSP: workers take partial tours from a queue and search on from them; the best length is shared.  -DOWN: no
 * queue, it is settled beforehand who takes which. */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#define CITIES 4

static const int distance[CITIES][CITIES] = {
    { 0, 2, 9, 4 }, { 2, 0, 6, 3 }, { 9, 6, 0, 8 }, { 4, 3, 8, 0 }
};
static struct {
    pthread_mutex_t lock;
    int next; /* the second city of the next tour */
} queue = { PTHREAD_MUTEX_INITIALIZER, 1 };
static struct {
    pthread_mutex_t lock;
    int length;
} best = { PTHREAD_MUTEX_INITIALIZER, 1000 };

static void finish(int length)
{
    pthread_mutex_lock(&best.lock);
    if (length < best.length)
        best.length = length;
    pthread_mutex_unlock(&best.lock);
}

static int bound(void)
{
    pthread_mutex_lock(&best.lock);
    int length = best.length;
    pthread_mutex_unlock(&best.lock);
    return length;
}

static void search(int at, unsigned visited, int length)
{
    if (visited == (1u << CITIES) - 1) {
        finish(length + distance[at][0]);
        return;
    }
    if (length >= bound())
        return;
    for (int c = 1; c < CITIES; c++)
        if (!(visited >> c & 1))
            search(c, visited | 1u << c, length + distance[at][c]);
}

#ifdef OWN
static void *worker(void *arg)
{
    for (int city = *(int *)arg; city < CITIES; city += WORKERS)
        search(city, 1u | 1u << city, distance[0][city]);
    return NULL;
}
#else
static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&queue.lock);
        int city = queue.next < CITIES ? queue.next++ : 0;
        pthread_mutex_unlock(&queue.lock);
        if (!city)
            return unused;
        search(city, 1u | 1u << city, distance[0][city]);
    }
}
#endif

int main(void)
{
    static int first[WORKERS];
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        first[i] = i + 1;
        pthread_create(&t[i], NULL, worker, &first[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    assert(best.length == 20);
    return 0;
}
