// A blocked signal waits until it is unblocked, and is handled by its own thread.
// expect: verified
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static _Thread_local int seen;

static void handler(int number) { seen = number; }

static void *work(void *unused)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, &before) == 0 && !sigismember(&before, SIGUSR1));
    assert(pthread_kill(pthread_self(), SIGUSR1) == 0);
    assert(seen == 0);
    assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
    assert(seen == SIGUSR1);
    seen = 0;
    assert(pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){ .sival_int = 1 }) == 0);
    assert(seen == SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_kill(t, 0) == 0);
    pthread_join(t, NULL);
    assert(seen == 0);
    return 0;
}
