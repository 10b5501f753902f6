// Two threads go round as long as a timer has expired, and none of them reads it: for ever.
// expect: violation livelock
// options: --strategy stateful
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/timerfd.h>

static int fd;

static void *look(void *unused)
{
    struct pollfd timer = { .fd = fd, .events = POLLIN };
    while (poll(&timer, 1, 0) >= 0) /* violation */
        ;
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
    return 0;
}
