// The number is looked up, then used: closed by another thread in between it is still what it was.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *closer(void *unused)
{
    assert(close(ends[1]) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pthread_create(&a, NULL, closer, NULL);
    ssize_t n = write(ends[1], "x", 1);
    assert(n == 1 || errno == EBADF);
    pthread_join(a, NULL);
    return 0;
}
