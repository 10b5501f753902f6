/* monitor(N): a reader-writer lock made of a mutex and a condition variable, with N readers and one
 * writer: 4, 62, 2364, 208632 traces. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static int readers, first, second;
static bool writing;

static void *read_both(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (writing)
        pthread_cond_wait(&freed, &lock);
    readers++;
    pthread_mutex_unlock(&lock);
    assert(first == second);
    pthread_mutex_lock(&lock);
    if (--readers == 0)
        pthread_cond_broadcast(&freed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *write_both(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (writing || readers > 0)
        pthread_cond_wait(&freed, &lock);
    writing = true;
    pthread_mutex_unlock(&lock);
    first++;
    second++;
    pthread_mutex_lock(&lock);
    writing = false;
    pthread_cond_broadcast(&freed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    for (int i = 0; i <= N; i++)
        pthread_create(&t[i], NULL, i ? read_both : write_both, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], NULL);
}
