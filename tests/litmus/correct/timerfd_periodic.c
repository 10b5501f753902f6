// Two reads of a periodic timer, which do not wait: each finds that it has not expired, or once, or more
// often (twice): nine executions.
// expect: verified
// executions: 9
// also: --strategy brute => verified
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec often = { .it_value = { 1, 0 }, .it_interval = { 1, 0 } };
    uint64_t times, sum = 0;
    assert(timerfd_settime(fd, 0, &often, NULL) == 0);
    for (int i = 0; i < 2; i++)
        if (read(fd, &times, sizeof times) == sizeof times)
            sum += times;
    assert(sum <= 4);
    return 0;
}
