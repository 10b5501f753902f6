// Two threads read one periodic timer: each has seen it expire at least once.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timer;

static void *wait_for(void *unused)
{
    uint64_t times = 0;
    assert(read(timer, &times, sizeof times) == sizeof times);
    assert(times >= 1);
    return unused;
}

int main(void)
{
    struct itimerspec often = { { 0, 1000000 }, { 0, 1000000 } };
    pthread_t other;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &often, 0);
    pthread_create(&other, 0, wait_for, 0);
    wait_for(0);
    pthread_join(other, 0);
}
