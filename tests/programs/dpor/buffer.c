/* buffer(N): N producers put one item each into a buffer of one place, N consumers take one each:
 * 2, 80, 57600 traces. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int item, taken;

static void *put(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (item)
        pthread_cond_wait(&changed, &lock);
    item = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *take(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!item)
        pthread_cond_wait(&changed, &lock);
    item = 0;
    taken++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2 * N];
    for (int i = 0; i < 2 * N; i++)
        pthread_create(&t[i], NULL, i % 2 ? take : put, NULL);
    for (int i = 0; i < 2 * N; i++)
        pthread_join(t[i], NULL);
    assert(taken == N && !item);
}
