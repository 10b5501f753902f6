// A write that has looked its number up is not broken by another thread that closes the number, also
// in a program in which it is a cancellation point.
// expect: verified
// also: --memory rc11 => verified
// also: --memory tso => verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *closer(void *unused)
{
    close(pair[0]);
    return unused;
}

static void *writer(void *unused)
{
    ssize_t n = send(pair[0], "x", 1, MSG_NOSIGNAL); /* its other end stays open */
    assert(n == 1 || errno == EBADF);
    return unused;
}

static void *cancelled(void *unused)
{
    pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t t[3];
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&t[0], NULL, closer, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_create(&t[2], NULL, cancelled, NULL);
    pthread_cancel(t[2]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
