// The timer may expire before the other thread has written.
// expect: violation assertion
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    struct itimerspec once = { .it_value = { 3600, 0 } };
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    pipe(ends);
    timerfd_settime(fd, 0, &once, NULL);
    pthread_create(&a, NULL, producer, NULL);
    struct pollfd p[2] = { { ends[0], POLLIN, 0 }, { fd, POLLIN, 0 } };
    poll(p, 2, -1);
    assert(p[0].revents); /* violation */
    pthread_join(a, NULL);
    return 0;
}
