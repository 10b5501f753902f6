/* A barrier of one's own: who comes last resets the count, and a fast thread counts it up
 * for the next round before a slow one has looked. */
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int count, rounds;

static void barrier(void)
{
    pthread_mutex_lock(&lock);
    if (++count == 2) {
        pthread_cond_broadcast(&full);
        rounds++;
    } else {
        while (count < 2)
            pthread_cond_wait(&full, &lock);
        count = 0;
    }
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    barrier();
    barrier();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    barrier();
    barrier();
    pthread_join(t, NULL);
}
