/* latch(N): N threads count down under a lock, the last one wakes main, which waits for zero:
 * (N + 1)! traces. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;
static int left = N;

static void *count_down(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (--left == 0)
        pthread_cond_broadcast(&zero);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, count_down, NULL);
    pthread_mutex_lock(&lock);
    while (left > 0)
        pthread_cond_wait(&zero, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(left == 0);
}
