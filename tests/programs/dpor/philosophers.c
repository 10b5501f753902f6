/* N philosophers, each takes the left fork, then the right, once: 2^N - 2 traces that end and one
 * deadlock. */
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork_at[N];

static void *dine(void *seat)
{
    intptr_t left = (intptr_t)seat, right = (left + 1) % N;
    pthread_mutex_lock(&fork_at[left]);
    pthread_mutex_lock(&fork_at[right]);
    pthread_mutex_unlock(&fork_at[right]);
    pthread_mutex_unlock(&fork_at[left]);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_at[i], 0);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
