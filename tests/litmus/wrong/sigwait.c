// Two signals of the same number that are sent before the first is taken are one.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set;
static int reloads;

static void *take(void *unused)
{
    for (;;) {
        int number = 0;
        assert(sigwait(&set, &number) == 0);
        if (number == SIGTERM)
            return unused;
        reloads++;
    }
}

int main(void)
{
    pthread_t taker;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGTERM);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_create(&taker, NULL, take, NULL);
    assert(pthread_kill(taker, SIGHUP) == 0);
    assert(pthread_kill(taker, SIGHUP) == 0);
    assert(pthread_kill(taker, SIGTERM) == 0);
    pthread_join(taker, NULL);
    assert(reloads == 2); /* violation */
    return 0;
}
