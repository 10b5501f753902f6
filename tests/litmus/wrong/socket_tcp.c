// The server closes its socket without accepting: the client's connection ends before there is an answer.
// expect: violation assertion
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in name;

static void *client(void *unused)
{
    char answer = 0;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&name, sizeof name) == 0)
        assert(recv(s, &answer, 1, 0) == 1); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    socklen_t length = sizeof name;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    name = (struct sockaddr_in){ .sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    assert(bind(s, (struct sockaddr *)&name, sizeof name) == 0 && listen(s, 4) == 0);
    assert(getsockname(s, (struct sockaddr *)&name, &length) == 0);
    pthread_create(&t, NULL, client, NULL);
    close(s);
    pthread_join(t, NULL);
    return 0;
}
