// A thread that is late finds that the timer has expired more than once.
// expect: violation assertion
// also: --strategy brute => violation assertion
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec often = { .it_value = { 1, 0 }, .it_interval = { 1, 0 } };
    uint64_t times, sum = 0;
    timerfd_settime(fd, 0, &often, NULL);
    for (int i = 0; i < 2; i++) {
        read(fd, &times, sizeof times);
        sum += times;
    }
    assert(sum == 2); /* violation */
    return 0;
}
