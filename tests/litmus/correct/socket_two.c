// Two clients in two threads, a server that accepts twice in a third: each connection is accepted once.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un name = { AF_UNIX, "\0abstract" };

static void *client(void *unused)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(s, (const struct sockaddr *)&name, sizeof name) == 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(s, (const struct sockaddr *)&name, sizeof name) == 0 && listen(s, 0) == 0);
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, NULL);
    assert(accept(s, NULL, NULL) >= 0 && accept(s, NULL, NULL) >= 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
