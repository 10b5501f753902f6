// A thread sets a timer after a relaxed store, another one waits for the timer and loads.  The calls are ordered by the timer,
// and so are the accesses before and after them.  If the timer was set before, nothing orders them.
// case: EARLY=0 => verified
// case: EARLY=1 => violation assertion
// case: EARLY=0 memory=tso => verified
// case: EARLY=1 memory=tso => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static atomic_int data;
static int fd;

static void set(void)
{
    struct itimerspec soon = { .it_value = { .tv_nsec = 1000 } };
    timerfd_settime(fd, 0, &soon, 0);
}

static void *publish(void *unused)
{
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    if (!EARLY)
        set();
    return unused;
}

int main(void)
{
    pthread_t thread;
    uint64_t times;
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
    if (EARLY)
        set();
    pthread_create(&thread, 0, publish, 0);
    assert(read(fd, &times, sizeof times) == sizeof times && times == 1);
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
    pthread_join(thread, 0);
    return 0;
}
