/* casrot(N): thread i turns x from i - 1 into i by compare-exchange: 1, 2, 5, 14, 43, 144, 523
 * traces, a failed exchange being a read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *work(void *arg)
{
    int old = (int)(intptr_t)arg - 1;
    atomic_compare_exchange_strong(&x, &old, old + 1);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
