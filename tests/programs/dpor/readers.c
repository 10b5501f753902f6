/* readers(N): one writer and N readers of one variable: 2^N traces. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *reader(void *unused)
{
    (void)atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, reader, 0);
    atomic_store(&x, 1);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
