// A socket is closed: the other side cannot write any more, and then has read all.  Who has seen the end
// cannot write.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *closer(void *unused)
{
    close(ends[0]);
    return unused;
}

int main(void)
{
    pthread_t t;
    char byte;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&t, NULL, closer, NULL);
    assert(read(ends[1], &byte, 1) == 0);
    assert(send(ends[1], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    pthread_join(t, NULL);
    return 0;
}
