// The same without SA_RESTART: the wait that the handler interrupts may fail with EINTR.
// expect: violation assertion
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
    assert(sem_wait(&handled) == 0); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sigaction action = { .sa_handler = handler };
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&handled, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(seen != 1);
    return 0;
}
