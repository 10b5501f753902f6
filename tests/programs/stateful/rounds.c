/* N threads, K times lock; x++; unlock each: (K + 1)^N states in which nobody holds the lock, of
 * which those with at least two threads that have something to do are choices. */
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *add(void *unused)
{
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return x == N * K ? 0 : 1;
}
