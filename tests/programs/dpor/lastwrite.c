/* lastwrite(N): N writers of one variable, read after the joins: N! traces (N if only what is read
 * counts). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *work(void *arg)
{
    atomic_store(&x, (int)(intptr_t)arg);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return atomic_load(&x) < 0;
}
