// The threads write a file that main reads back.  With --files off what an execution leaves in it is not undone, so
// that the result must not be `verified`.
// expect: verified
// also: --files off => no-violation-found
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

static void *work(void *unused)
{
    if (pwrite(file, "x", 1, 0) != 1)
        abort();
    return unused;
}

int main(void)
{
    pthread_t id;
    char name[] = "/tmp/heddle-written-XXXXXX", c = 0;
    file = mkstemp(name);
    unlink(name);
    assert(file >= 0);
    pthread_create(&id, NULL, work, NULL);
    work(NULL);
    pthread_join(id, NULL);
    assert(pread(file, &c, 1, 0) == 1 && c == 'x');
    close(file);
    return 0;
}
