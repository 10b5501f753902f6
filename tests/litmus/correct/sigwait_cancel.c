// A thread that waits for signals can be cancelled there.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set;

static void *take(void *unused)
{
    int number;
    for (;;)
        sigwait(&set, &number);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, take, NULL);
    pthread_kill(t, SIGINT);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
