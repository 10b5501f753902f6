// Unblocking first and waiting then loses the signal that comes in between.
// expect: violation deadlock
// also: --keep-going => violation deadlock
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set, none;
static _Thread_local int woken;

static void handler(int number) { woken = number; }

static void *work(void *unused)
{
    while (!woken) {
        pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* the handler may run here */
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        sigsuspend(&none);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handler);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_kill(t, SIGUSR1) == 0);
    pthread_join(t, NULL);
    return 0;
}
