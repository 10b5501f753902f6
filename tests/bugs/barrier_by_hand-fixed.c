/* barrier_by_hand.c, repaired. Every round has a number. */
// expect: verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int count, rounds;

static void barrier(void)
{
    pthread_mutex_lock(&lock);
    int mine = rounds;
    if (++count == 2) {
        count = 0;
        rounds++;
        pthread_cond_broadcast(&full);
    } else {
        while (rounds == mine)
            pthread_cond_wait(&full, &lock);
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
