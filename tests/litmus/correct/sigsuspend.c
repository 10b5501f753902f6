// A handler runs in the thread that waits for it, with the signal blocked before: no wake-up is lost.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set, none;
static _Thread_local int woken;

static void handler(int number, siginfo_t *info, void *unused)
{
    (void)unused;
    woken = info->si_signo == number;
}

static void *work(void *unused)
{
    while (!woken)
        assert(sigsuspend(&none) == -1 && errno == EINTR);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sigaction action = { .sa_flags = SA_SIGINFO, .sa_sigaction = handler };
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_kill(t, SIGUSR1) == 0);
    pthread_join(t, NULL);
    assert(!woken);
    return 0;
}
