// A socket is closed in two steps: who cannot write any more need not see the end yet.
// expect: violation assertion
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
    if (send(ends[1], "x", 1, MSG_NOSIGNAL) == -1) {
        assert(errno == EPIPE);
        assert(recv(ends[1], &byte, 1, MSG_DONTWAIT) == 0); /* violation */
    }
    pthread_join(t, NULL);
    return 0;
}
