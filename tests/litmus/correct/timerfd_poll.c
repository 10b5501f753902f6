// poll() and epoll_wait() end when the bytes come or the timer expires, in any order; a shorter timer that
// the thread armed before is not the later one.
// expect: verified
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

static int armed(int seconds)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec once = { .it_value = { seconds, 0 } };
    assert(timerfd_settime(fd, 0, &once, NULL) == 0);
    return fd;
}

int main(void)
{
    pthread_t a;
    uint64_t times;
    char byte;
    pipe(ends);
    int limit = armed(1);
    pthread_create(&a, NULL, producer, NULL);
    struct pollfd p[2] = { { ends[0], POLLIN, 0 }, { limit, POLLIN, 0 } };
    assert(poll(p, 2, -1) > 0);
    if (p[0].revents)
        assert(read(ends[0], &byte, 1) == 1);
    if (p[1].revents)
        assert(read(limit, &times, sizeof times) == 8 && times == 1);
    pthread_join(a, NULL);

    int shorter = armed(1), longer = armed(2), list = epoll_create1(0);
    struct epoll_event e = { .events = EPOLLIN, .data.fd = longer };
    assert(epoll_ctl(list, EPOLL_CTL_ADD, longer, &e) == 0);
    assert(epoll_wait(list, &e, 1, -1) == 1 && e.data.fd == longer);
    assert(read(shorter, &times, sizeof times) == 8);
    return 0;
}
