/* Nine workers with a counter each, and one that all of them share. */
#include <assert.h>
#include <pthread.h>

#define WORKERS 8

static int own[WORKERS];
static int all;

static void *work(void *arg)
{
    int me = (int)(long)arg;
    own[me]++;
    all++;
    return 0;
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, work, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    assert(all == WORKERS);
}
