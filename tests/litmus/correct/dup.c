// The end comes when the last descriptor of the writing side is closed, whichever that is.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], copy;

static void *producer(void *unused)
{
    assert(write(copy, "x", 1) == 1);
    assert(close(copy) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[4];
    pipe(ends);
    copy = dup(ends[1]);
    assert(copy >= 0 && copy != ends[1]);
    pthread_create(&a, NULL, producer, NULL);
    close(ends[1]);
    assert(read(ends[0], text, sizeof text) == 1);
    assert(read(ends[0], text, sizeof text) == 0);
    pthread_join(a, NULL);
    int other = fcntl(ends[0], F_DUPFD, 200);
    assert(other >= 200 && dup2(other, ends[0]) == ends[0]);
    assert(dup3(other, other, 0) == -1 && errno == EINVAL);
    assert(dup3(other, 300, O_CLOEXEC) == 300 && fcntl(300, F_GETFD) == FD_CLOEXEC);
    assert(read(300, text, sizeof text) == 0);
    return 0;
}
