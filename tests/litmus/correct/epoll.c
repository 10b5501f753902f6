// A loop over what epoll tells; an edge is told once, what is one-shot until it is armed again.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], stop;

static void *producer(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    assert(eventfd_write(stop, 1) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    struct epoll_event told[2], e = { .events = EPOLLIN };
    int ep = epoll_create1(0), bytes = 0, done = 0;
    pipe(ends);
    stop = eventfd(0, 0);
    e.data.fd = ends[0];
    assert(epoll_ctl(ep, EPOLL_CTL_ADD, ends[0], &e) == 0);
    assert(epoll_ctl(ep, EPOLL_CTL_ADD, ends[0], &e) == -1 && errno == EEXIST);
    e.data.fd = stop;
    e.events = EPOLLIN | EPOLLONESHOT;
    assert(epoll_ctl(ep, EPOLL_CTL_ADD, stop, &e) == 0);
    pthread_create(&a, NULL, producer, NULL);
    while (!done || !bytes) {
        int n = epoll_wait(ep, told, 2, -1);
        assert(n > 0);
        for (int i = 0; i < n; i++)
            if (told[i].data.fd == stop) {
                assert(!done);
                done = 1;
            } else {
                assert(read(told[i].data.fd, &byte, 1) == 1);
                bytes++;
            }
    }
    pthread_join(a, NULL);
    assert(epoll_wait(ep, told, 2, 0) == 0);
    assert(epoll_ctl(ep, EPOLL_CTL_MOD, stop, &e) == 0 && epoll_pwait(ep, told, 2, 0, NULL) == 1);
    e.events = EPOLLIN | EPOLLET;
    assert(epoll_ctl(ep, EPOLL_CTL_MOD, stop, &e) == 0);
    assert(epoll_wait(ep, told, 2, 0) == 1 && epoll_wait(ep, told, 2, 0) == 0);
    assert(epoll_ctl(ep, EPOLL_CTL_DEL, stop, NULL) == 0);
    close(ep);
    return 0;
}
