/* N threads lock; x++; unlock: N! traces. */
#include <pthread.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return x == N ? 0 : 1;
}
