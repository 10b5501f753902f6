// With EPOLLET, epoll_wait() does not report again the bytes that one read has left in the pipe.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    write(ends[1], "x", 1);
    write(ends[1], "y", 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    struct epoll_event told, e = { .events = EPOLLIN | EPOLLET };
    int ep = epoll_create1(0);
    pipe(ends);
    epoll_ctl(ep, EPOLL_CTL_ADD, ends[0], &e);
    pthread_create(&a, NULL, producer, NULL);
    for (int i = 0; i < 2; i++) {
        epoll_wait(ep, &told, 1, -1); /* violation */
        read(ends[0], &byte, 1);
    }
    pthread_join(a, NULL);
    return 0;
}
