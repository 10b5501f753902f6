// A thread waits for a timer that another one may have switched off: then it never expires.
// expect: violation deadlock
// also: --strategy brute => violation deadlock
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int fd;

static void *waiter(void *unused)
{
    uint64_t times;
    read(fd, &times, sizeof times);
    return unused;
}

int main(void)
{
    pthread_t a;
    struct itimerspec once = { .it_value = { 1, 0 } }, never = { 0 };
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(fd, 0, &once, NULL);
    pthread_create(&a, NULL, waiter, NULL);
    timerfd_settime(fd, 0, &never, NULL);
    pthread_join(a, NULL);
    return 0;
}
