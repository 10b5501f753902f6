// A handler installed by the program runs when a thread raises the signal.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static __thread volatile sig_atomic_t seen;

static void on_signal(int number) { seen = number; }

static void *work(void *unused)
{
    assert(raise(SIGUSR1) == 0);
    assert(seen == SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, on_signal);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(seen == 0);
    return 0;
}
