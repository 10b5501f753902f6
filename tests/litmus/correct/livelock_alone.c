// As livelock_alone beside it, and the semaphore is posted: while it is not, the poster can move.
// expect: verified
// options: --strategy stateful
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int odd; /* or the loop would be a wait */

static void *poll(void *unused)
{
    while (sem_trywait(&ready) != 0)
        odd = !odd;
    return unused;
}

static void *posts(void *unused)
{
    sem_post(&ready);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&ready, 0, 0);
    pthread_create(&t[0], 0, poll, 0);
    pthread_create(&t[1], 0, posts, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
