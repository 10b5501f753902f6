// Two threads wait for one signal: one of them waits for ever.
// expect: violation deadlock
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set;

static void *take(void *unused)
{
    int number;
    assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    sigset_t pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    assert(kill(getpid(), SIGUSR1) == 0);
    assert(sigpending(&pending) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
