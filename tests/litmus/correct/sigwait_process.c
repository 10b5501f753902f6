// A signal to the process is taken by one of the threads that wait for it; the other goes on waiting.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set;
static atomic_int taken;

static void *take(void *unused)
{
    int number;
    assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
    atomic_fetch_add(&taken, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    sigset_t pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    assert(kill(getpid(), SIGUSR1) == 0);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    while (atomic_load(&taken) == 0)
        ;
    assert(kill(getpid(), SIGUSR1) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(taken == 2);
    return 0;
}
