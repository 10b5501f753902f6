/* A ring of N store buffers: thread i writes x[i] and reads x[i + 1]: 2^N - 1 traces. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x[N];

static void *work(void *arg)
{
    intptr_t i = (intptr_t)arg;
    atomic_store(&x[i], 1);
    (void)atomic_load(&x[(i + 1) % N]);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
