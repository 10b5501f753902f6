// A thread takes the signals of the process with sigwait; whoever blocks them may send them at any time.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set;
static int reloads; /* of the thread that takes signals, until it has ended */

static void *take(void *unused)
{
    for (;;) {
        int number = 0;
        assert(sigwait(&set, &number) == 0);
        if (number == SIGTERM)
            return unused;
        assert(number == SIGHUP);
        reloads++;
    }
}

static void *send(void *taker)
{
    assert(pthread_kill(*(pthread_t *)taker, SIGHUP) == 0);
    return NULL;
}

int main(void)
{
    pthread_t taker, sender;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGTERM);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_create(&taker, NULL, take, NULL);
    pthread_create(&sender, NULL, send, &taker);
    pthread_join(sender, NULL);
    assert(pthread_kill(taker, SIGTERM) == 0);
    pthread_join(taker, NULL);
    assert(reloads == 1); /* SIGHUP has the lower number: it is taken first */
    return 0;
}
