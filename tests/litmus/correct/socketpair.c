// Messages keep their bounds, streams do not; the end of one direction is seen at the other side.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int packets[2], stream[2];

static void *peer(void *unused)
{
    char text[8];
    struct iovec pieces[2] = { { "x", 1 }, { "yz", 2 } };
    struct msghdr message = { .msg_iov = pieces, .msg_iovlen = 2 };
    assert(recv(packets[1], text, 2, 0) == 2 && memcmp(text, "on", 2) == 0);
    assert(recvfrom(packets[1], text, 8, 0, NULL, NULL) == 3 && memcmp(text, "two", 3) == 0);
    assert(sendmsg(packets[1], &message, 0) == 3);
    assert(writev(stream[1], pieces, 2) == 3);
    assert(shutdown(stream[1], SHUT_WR) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[8];
    struct iovec pieces[2] = { { text, 1 }, { text + 1, 7 } };
    struct msghdr message = { .msg_iov = pieces, .msg_iovlen = 2 };
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, packets) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) == 0);
    pthread_create(&a, NULL, peer, NULL);
    assert(send(packets[0], "one", 3, 0) == 3);
    assert(sendto(packets[0], "two", 3, 0, NULL, 0) == 3);
    assert(recvmsg(packets[0], &message, 0) == 3 && memcmp(text, "xyz", 3) == 0);
    assert(recv(stream[0], text, 1, 0) == 1 && text[0] == 'x');
    assert(readv(stream[0], pieces, 2) == 2 && memcmp(text, "yz", 2) == 0);
    assert(recv(stream[0], text, 8, 0) == 0);
    assert(recv(packets[0], text, 8, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    pthread_join(a, NULL);
    close(stream[1]);
    assert(send(stream[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    return 0;
}
