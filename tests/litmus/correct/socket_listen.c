// A client and a server by path: every connection is accepted once, and what is sent arrives.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un name = { AF_UNIX, "heddle-litmus-socket" };

static void *client(void *unused)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(s, (const struct sockaddr *)&name, sizeof name) == 0);
    assert(send(s, "hi", 2, 0) == 2 && close(s) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char text[4];
    struct stat is;
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(s, (const struct sockaddr *)&name, sizeof name) == 0 && listen(s, 1) == 0);
    assert(stat(name.sun_path, &is) == 0 && S_ISSOCK(is.st_mode));
    pthread_create(&t, NULL, client, NULL);
    int c = accept(s, NULL, NULL);
    assert(c >= 0 && recv(c, text, sizeof text, MSG_WAITALL) == 2);
    assert(close(c) == 0 && close(s) == 0);
    pthread_join(t, NULL);
    return unlink(name.sun_path);
}
