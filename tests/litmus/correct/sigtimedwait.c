// Signals that count are queued with their values; waiting for one may end before it comes.
// expect: verified
// cc-flags: -D_GNU_SOURCE
// also: --no-timeouts => no-violation-found
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static void *take(void *unused)
{
    struct timespec second = { .tv_sec = 1 };
    siginfo_t info;
    int first = sigtimedwait(&set, &info, &second);
    if (first == -1) {
        assert(errno == EAGAIN);
        first = sigwaitinfo(&set, &info);
    }
    assert(first == SIGRTMIN && info.si_signo == SIGRTMIN && info.si_value.sival_int == 1);
    assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_value.sival_int == 2);
    assert(sigtimedwait(&set, NULL, &(struct timespec){ 0 }) == -1 && errno == EAGAIN);
    return unused;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_create(&t, NULL, take, NULL);
    assert(pthread_sigqueue(t, SIGRTMIN, (union sigval){ .sival_int = 1 }) == 0);
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){ .sival_int = 2 }) == 0);
    pthread_join(t, NULL);
    return 0;
}
