// The server listens only after the client was created: the client may be refused.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un name = { AF_UNIX, "heddle-litmus-socket" };

static void *client(void *unused)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(s, (const struct sockaddr *)&name, sizeof name) == 0); /* violation */
    close(s);
    return unused;
}

int main(void)
{
    pthread_t t;
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(s, (const struct sockaddr *)&name, sizeof name);
    pthread_create(&t, NULL, client, NULL);
    listen(s, 1);
    pthread_join(t, NULL);
    return 0;
}
