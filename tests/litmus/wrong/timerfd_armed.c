// Two threads wait for one timer: it expires once, and one of them waits for ever.
// expect: violation deadlock
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
    struct itimerspec once = { .it_value = { 1, 0 } };
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
    pthread_create(&a, NULL, waiter, NULL);
    timerfd_settime(fd, 0, &once, NULL);
    waiter(NULL);
    pthread_join(a, NULL);
    return 0;
}
