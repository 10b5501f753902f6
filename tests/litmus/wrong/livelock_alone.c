// A semaphore that is never posted is tried for again and again, while the others have ended or wait.
// expect: violation livelock
// options: --strategy stateful
// also: --memory tso => violation livelock
// also: --memory rc11 => violation livelock
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int odd; /* or the loop would be a wait */

static void *poll(void *unused)
{
    while (sem_trywait(&ready) != 0) /* violation */
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
