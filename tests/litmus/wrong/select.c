// That time may run out is forgotten.
// expect: violation assertion
// also: --no-timeouts => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *peer(void *unused)
{
    write(pair[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    fd_set in;
    struct timeval second = { 1, 0 };
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&a, NULL, peer, NULL);
    FD_ZERO(&in);
    FD_SET(pair[0], &in);
    select(pair[0] + 1, &in, NULL, NULL, &second);
    assert(recv(pair[0], &byte, 1, MSG_DONTWAIT) == 1); /* violation */
    pthread_join(a, NULL);
    return 0;
}
