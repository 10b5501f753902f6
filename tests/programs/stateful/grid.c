/* Two threads add 1 to one word, K times each: (K + 1)^2 states, and next to nothing in them. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 100
#endif

static atomic_int a;

static void *add(void *unused)
{
    for (int i = 0; i < K; i++)
        atomic_fetch_add(&a, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return a == 2 * K ? 0 : 1;
}
