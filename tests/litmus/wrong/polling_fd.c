// expect: violation livelock
// options: --strategy auto
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => violation livelock
// The byte never comes: it is sent the other way.  (A search over executions stops looking after some turns.)
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *bring(void *unused)
{
    assert(write(ends[0], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char byte = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    pthread_create(&t, 0, bring, 0);
    struct pollfd in = { .fd = ends[0], .events = POLLIN };
    while (poll(&in, 1, 100) == 0) {}
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    pthread_join(t, 0);
    return 0;
}
