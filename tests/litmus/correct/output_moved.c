// Standard output becomes a pipe, and is closed, by the only thread that there is: before others are created, and after they
// have been joined.  dup2() closes what the number has meant, and leaves it alone if it fails.  Closed numbers are used, which is why it
// is not verified.
// expect: no-violation-found
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *writes(void *unused)
{
    assert(write(1, "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int ends[2], more[2];
    char got;
    if (pipe(ends) != 0 || pipe(more) != 0)
        return 0;
    dup2(ends[1], 1);
    pthread_create(&thread, NULL, writes, NULL);
    pthread_join(thread, NULL);
    assert(read(ends[0], &got, 1) == 1 && got == 'x');
    close(more[0]);
    close(1);
    assert(write(1, "x", 1) == -1 && errno == EBADF);
    assert(dup2(more[0], ends[1]) == -1 && errno == EBADF);
    assert(dup2(1, ends[1]) == -1 && errno == EBADF);
    assert(dup3(ends[0], ends[1], 1) == -1 && errno == EINVAL);
    assert(write(ends[1], "x", 1) == 1);
    return 0;
}
