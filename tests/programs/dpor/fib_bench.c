/* fib_bench(K) (SV-COMP): two threads add to each other's variable K times, main looks at both
 * without waiting: 11, 140, 1698, 218243 traces for K = 1, 2, 3, 5. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 2
#endif

static atomic_int i = 1, j = 1;

static void *first(void *unused)
{
    for (int k = 0; k < K; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return unused;
}

static void *second(void *unused)
{
    for (int k = 0; k < K; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    int seen = atomic_load(&i) + atomic_load(&j);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return seen < 0;
}
