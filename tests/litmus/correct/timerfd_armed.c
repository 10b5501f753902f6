// A thread waits for a timer that is not armed yet: whoever arms it ends the wait.
// expect: verified
// also: --strategy brute => verified
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int fd;

static void *waiter(void *unused)
{
    uint64_t times;
    assert(read(fd, &times, sizeof times) == 8 && times == 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    struct itimerspec once = { .it_value = { 1, 0 } };
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
    pthread_create(&a, NULL, waiter, NULL);
    assert(timerfd_settime(fd, 0, &once, NULL) == 0);
    pthread_join(a, NULL);
    return 0;
}
