// The signal is read first although the byte was written before it: both are there.
// expect: violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int ends[2];

static void *worker(void *unused)
{
    write(ends[1], "x", 1);
    kill(getpid(), SIGTERM);
    return unused;
}

int main(void)
{
    pthread_t a;
    sigset_t set;
    char byte;
    int bytes = 0, list = epoll_create1(0);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pipe(ends);
    int fd = signalfd(-1, &set, 0);
    struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };
    epoll_ctl(list, EPOLL_CTL_ADD, fd, &e);
    e.data.fd = ends[0];
    epoll_ctl(list, EPOLL_CTL_ADD, ends[0], &e);
    pthread_create(&a, NULL, worker, NULL);
    while (epoll_wait(list, &e, 1, -1) == 1 && e.data.fd != fd)
        bytes += (int)read(ends[0], &byte, 1);
    assert(bytes == 1); /* violation */
    pthread_join(a, NULL);
    return 0;
}
