// A number that was closed is given to something else: the byte goes to the wrong pipe.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], other[2];

static void *closer(void *unused)
{
    close(ends[1]);
    dup(other[1]);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pipe(other);
    int fd = ends[1];
    pthread_create(&a, NULL, closer, NULL);
    ssize_t n = write(fd, "x", 1);
    pthread_join(a, NULL);
    if (n == 1)
        assert(read(ends[0], &byte, 1) == 1); /* violation */
    return 0;
}
