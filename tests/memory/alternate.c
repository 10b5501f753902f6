// A loop that never ends comes back to its state every second time: the cycle has two attempts.
// case: memory=tso => violation livelock
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int odd;

static void *poll(void *unused)
{
    while (sem_trywait(&ready) != 0)
        odd = !odd;
    return unused;
}

static void *forgets(void *unused) { return unused; }

int main(void)
{
    pthread_t t[2];
    sem_init(&ready, 0, 0);
    pthread_create(&t[0], 0, poll, 0);
    pthread_create(&t[1], 0, forgets, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
