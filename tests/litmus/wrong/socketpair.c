// Two answers are taken from a stream as if it kept them apart.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>

static int stream[2];

static void *peer(void *unused)
{
    send(stream[1], "one", 3, 0);
    send(stream[1], "two", 3, 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[8];
    socketpair(AF_UNIX, SOCK_STREAM, 0, stream);
    pthread_create(&a, NULL, peer, NULL);
    assert(recv(stream[0], text, sizeof text, 0) == 3); /* violation */
    pthread_join(a, NULL);
    return 0;
}
