// A client connects to a port of the loopback interface that the system chose; the server waits with poll, and answers.
// expect: verified
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in name;

static void *client(void *letter)
{
    char answer = 0;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(s, (struct sockaddr *)&name, sizeof name) == 0);
    assert(send(s, letter, 1, 0) == 1 && recv(s, &answer, 1, 0) == 1);
    assert(answer == *(char *)letter + 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    socklen_t length = sizeof name;
    char letter;
    int s = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    name = (struct sockaddr_in){ .sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    assert(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    assert(bind(s, (struct sockaddr *)&name, sizeof name) == 0 && listen(s, 4) == 0);
    assert(getsockname(s, (struct sockaddr *)&name, &length) == 0 && name.sin_port != 0);
    pthread_create(&t, NULL, client, "a");
    struct pollfd p = { s, POLLIN, 0 };
    assert(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
    int c = accept(s, NULL, NULL);
    assert(recv(c, &letter, 1, 0) == 1);
    letter++;
    assert(send(c, &letter, 1, 0) == 1);
    pthread_join(t, NULL);
    return 0;
}
