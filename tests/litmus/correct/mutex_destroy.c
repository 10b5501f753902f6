// Destroyed after the join, and the memory used for a new mutex afterwards.
// expect: verified
// executions: 4
// (who locks first, in each of two rounds)
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t t;
        pthread_mutex_init(&lock, NULL);
        pthread_create(&t, NULL, work, NULL);
        work(NULL);
        pthread_join(t, NULL);
        pthread_mutex_destroy(&lock);
    }
    return 0;
}
