// A thread that keeps cancellation out while it polls is not woken by it.
// expect: violation deadlock
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused)
{
    struct pollfd p = { .fd = ends[0], .events = POLLIN };
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    poll(&p, 1, -1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
