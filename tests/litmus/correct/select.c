// Ready or timed out: select says which.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *peer(void *unused)
{
    assert(write(pair[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    fd_set in, out;
    struct timeval second = { 1, 0 };
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&a, NULL, peer, NULL);
    FD_ZERO(&in);
    FD_SET(pair[0], &in);
    int n = select(pair[0] + 1, &in, NULL, NULL, &second);
    assert(n == 0 || n == 1);
    assert(n == (FD_ISSET(pair[0], &in) != 0));
    if (n == 1)
        assert(recv(pair[0], &byte, 1, MSG_DONTWAIT) == 1);
    FD_ZERO(&out);
    FD_SET(pair[0], &out);
    assert(pselect(pair[0] + 1, NULL, &out, NULL, NULL, NULL) == 1);
    pthread_join(a, NULL);
    return 0;
}
