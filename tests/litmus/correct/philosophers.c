// Three dining philosophers who take the fork with the lower number first.
// expect: verified
// executions: 6
// (each fork is shared by two: 2^3 orders, less the two cyclic ones)
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define SEATS 3

static pthread_mutex_t fork_at[SEATS];

static void *dine(void *seat)
{
    intptr_t left = (intptr_t)seat, right = (left + 1) % SEATS;
    intptr_t low = left < right ? left : right, high = left + right - low;
    pthread_mutex_lock(&fork_at[low]);
    pthread_mutex_lock(&fork_at[high]);
    pthread_mutex_unlock(&fork_at[high]);
    pthread_mutex_unlock(&fork_at[low]);
    return NULL;
}

int main(void)
{
    pthread_t t[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_at[i], NULL);
    for (int i = 0; i < SEATS; i++)
        pthread_create(&t[i], NULL, dine, (void *)(intptr_t)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
