// Three dining philosophers who all take their left fork first.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define SEATS 3

static pthread_mutex_t fork_at[SEATS];

static void *dine(void *seat)
{
    intptr_t left = (intptr_t)seat, right = (left + 1) % SEATS;
    pthread_mutex_lock(&fork_at[left]);
    pthread_mutex_lock(&fork_at[right]);
    pthread_mutex_unlock(&fork_at[right]);
    pthread_mutex_unlock(&fork_at[left]);
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
