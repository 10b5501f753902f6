// An event loop: bytes of a pipe, and a signal that ends it, in any order.  A signal to another thread is
// not seen here.
// expect: verified
// also: --memory rc11 => verified
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
    raise(SIGUSR2); /* pending for this thread alone */
    kill(getpid(), SIGTERM);
    return unused;
}

int main(void)
{
    pthread_t a;
    sigset_t set;
    struct signalfd_siginfo got;
    char byte;
    int bytes = 0, list = epoll_create1(0);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pipe(ends);
    int fd = signalfd(-1, &set, 0);
    struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };
    epoll_ctl(list, EPOLL_CTL_ADD, fd, &e);
    e.data.fd = ends[0];
    epoll_ctl(list, EPOLL_CTL_ADD, ends[0], &e);
    pthread_create(&a, NULL, worker, NULL);
    for (;;) {
        assert(epoll_wait(list, &e, 1, -1) == 1);
        if (e.data.fd == fd)
            break;
        bytes += (int)read(ends[0], &byte, 1);
    }
    assert(read(fd, &got, sizeof got) == sizeof got && got.ssi_signo == SIGTERM);
    assert(bytes <= 1);
    pthread_join(a, NULL);
    return 0;
}
