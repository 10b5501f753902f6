// A handler that another thread's signal runs, and its thread, use a thread-local variable and, through it, a local.
// By hand: first, second count 0 0, 1 0 or 1 1 when the handler looks; it never sees 0 1, and leaves no trace.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local volatile int *pair;
static _Thread_local volatile int inside;

static void handler(int number)
{
    inside++;
    assert(!pair || pair[0] >= pair[1]);
    inside--;
    (void)number;
}

static void *work(void *unused)
{
    volatile int both[2] = { 0, 0 };
    pair = both;
    both[0] = 1;
    both[1] = 1;
    assert(inside == 0);
    pair = NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
