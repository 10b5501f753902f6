// Without a mask the second signal is handled in the middle of the first one's handler.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t order, first, second;

static void one(int number)
{
    raise(SIGUSR2);
    first = ++order;
    (void)number;
}

static void two(int number)
{
    second = ++order;
    (void)number;
}

static void *work(void *unused)
{
    raise(SIGUSR1);
    assert(first == 1 && second == 2); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sigaction action = { .sa_handler = one };
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGUSR2, two);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
