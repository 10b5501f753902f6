// expect: verified
// options: --strategy auto
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => verified
// The byte comes some day.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *bring(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char byte = 0;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, 0, bring, 0);
    struct pollfd in = { .fd = ends[0], .events = POLLIN };
    while (poll(&in, 1, 100) == 0) {}
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    pthread_join(t, 0);
    return 0;
}
