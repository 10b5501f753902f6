/* philosophers.c, repaired. The last one takes the right fork first. */
// expect: verified
#include <pthread.h>
#include <stddef.h>

#define N 3
static pthread_mutex_t forks[N] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                    PTHREAD_MUTEX_INITIALIZER };
static int numbers[N] = { 0, 1, 2 };

static void *dine(void *arg)
{
    int me = *(int *)arg, left = me, right = (me + 1) % N;
    if (me == N - 1) {
        left = 0;
        right = me;
    }
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, dine, &numbers[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}
