// The handler is removed too early: the signal may be fatal.
// expect: violation crash
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int removed;

static void on_signal(int number) { (void)number; }

static void *work(void *unused)
{
    if (removed)
        raise(SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, on_signal);
    pthread_create(&t, NULL, work, NULL);
    signal(SIGUSR1, SIG_DFL);
    removed = 1;
    pthread_join(t, NULL);
    return 0;
}
