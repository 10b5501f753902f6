// A thread closes a file, another one polls its descriptor: it is ready, or not open.  The kernel's number is free in the step of
// close() that is outside, so poll() asks in such a step.  (The number is used when it may be closed, which the verdict says.)
// expect: violation assertion
// cc-flags: -DFIRST=0 -DWANTED=POLLOUT
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd, found;

static void *polls(void *unused)
{
    struct pollfd asked = { .fd = fd, .events = POLLOUT };
    poll(&asked, 1, 0);
    found = asked.revents;
    return unused;
}

static void *closes(void *unused)
{
    close(fd);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    fd = memfd_create("file", 0);
    if (fd < 0)
        return 0;
    pthread_create(&threads[0], NULL, FIRST ? closes : polls, NULL);
    pthread_create(&threads[1], NULL, FIRST ? polls : closes, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(found == WANTED); /* violation */
    return 0;
}
