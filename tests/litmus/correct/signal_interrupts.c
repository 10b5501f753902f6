// A handler that another thread's signal runs: it sees what its thread has done so far, in order, and runs while the thread waits.
// By hand: `seen` is 0, 2 or 3, never 1; the thread cannot go on before the handler has posted.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int a, b, seen;
static sem_t handled;

static void handler(int number)
{
    seen = 2 * a + b;
    sem_post(&handled);
    (void)number;
}

static void *work(void *unused)
{
    a = 1;
    b = 1;
    assert(sem_wait(&handled) == 0); /* SA_RESTART */
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    sem_init(&handled, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(seen != 1);
    return 0;
}
