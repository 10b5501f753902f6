// That a second has passed does not mean that no signal will come, nor that one has.
// expect: violation assertion
// also: --no-timeouts => no-violation-found
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static sigset_t set;

static void *take(void *unused)
{
    struct timespec second = { .tv_sec = 1 };
    siginfo_t info;
    assert(sigtimedwait(&set, &info, &second) == SIGUSR1); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_create(&t, NULL, take, NULL);
    assert(pthread_sigqueue(t, SIGUSR1, (union sigval){ .sival_int = 1 }) == 0);
    pthread_join(t, NULL);
    return 0;
}
