/* lastzero(N), from the paper on optimal DPOR: thread 0 looks for the last element that is zero,
 * threads 1 … N each set one element from the one before: (N + 3) * 2^(N - 2) traces. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int array[N + 1];

static void *search(void *unused)
{
    int i = N;
    while (atomic_load(&array[i]) != 0)
        i--;
    return unused;
}

static void *set(void *arg)
{
    intptr_t j = (intptr_t)arg;
    atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
    return 0;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[0], 0, search, 0);
    for (intptr_t j = 1; j <= N; j++)
        pthread_create(&t[j], 0, set, (void *)j);
    for (int j = 0; j <= N; j++)
        pthread_join(t[j], 0);
    return 0;
}
