// A timer expires at any moment after it was armed, once: of two reads that do not wait the first gets the
// number, the second does, or neither: three executions.
// expect: verified
// executions: 3
// also: --strategy brute => verified
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static uint64_t look(int fd)
{
    uint64_t times = 0;
    ssize_t n = read(fd, &times, sizeof times);
    assert(n == sizeof times ? times == 1 : n == -1 && errno == EAGAIN);
    return times;
}

int main(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct itimerspec once = { .it_value = { 1, 0 } }, never = { 0 }, is;
    uint64_t times;
    assert(fd >= 0 && look(fd) == 0); /* not armed */
    assert(timerfd_gettime(fd, &is) == 0 && is.it_value.tv_sec == 0 && is.it_value.tv_nsec == 0);
    assert(read(fd, &times, 4) == -1 && errno == EINVAL);
    assert(write(fd, &times, 8) == -1 && errno == EINVAL);
    assert(timerfd_settime(fd, 0, &once, NULL) == 0);
    assert(timerfd_settime(fd, 0, &never, NULL) == 0 && look(fd) == 0);
    assert(timerfd_settime(fd, 0, &once, NULL) == 0);
    sleep(2);
    assert(look(fd) == 1); /* the time is over */
    assert(timerfd_settime(fd, 0, &once, NULL) == 0);
    assert(look(fd) + look(fd) <= 1);
    assert(timerfd_settime(99, 0, &once, NULL) == -1 && errno == EBADF);
    assert(timerfd_create(77, 0) == -1 && errno == EINVAL);
    return 0;
}
