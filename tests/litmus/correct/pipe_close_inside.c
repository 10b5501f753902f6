// A pipe or socket lasts as long as a call that has looked its number up: whoever writes meanwhile is
// read, and breaks nothing.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], pair[2];

static void *closer(void *unused)
{
    close(ends[0]);
    ssize_t n = write(ends[1], "x", 1);
    assert(n == 1 || errno == EPIPE);
    close(pair[0]);
    return unused;
}

int main(void)
{
    pthread_t t;
    char byte;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&t, NULL, closer, NULL);
    ssize_t n = read(ends[0], &byte, 1);
    assert(n == 1 || errno == EBADF);
    n = send(pair[0], "x", 1, 0); /* its other end stays open */
    assert(n == 1 || errno == EBADF);
    pthread_join(t, NULL);
    return 0;
}
