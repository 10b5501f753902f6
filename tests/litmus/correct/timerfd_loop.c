// Two threads look at a timer until it has expired, without waiting: that it has not yet expired goes on
// for a while, and not for ever.
// expect: verified
// options: --strategy stateful
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int fd;
static atomic_int seen;

static void *look(void *unused)
{
    uint64_t times;
    while (!seen && read(fd, &times, sizeof times) < 0)
        sched_yield();
    seen = 1;
    return unused;
}

int main(void)
{
    pthread_t a;
    struct itimerspec once = { .it_value = { 1, 0 } };
    fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(fd, 0, &once, NULL);
    pthread_create(&a, NULL, look, NULL);
    look(NULL);
    pthread_join(a, NULL);
    assert(seen);
    return 0;
}
