// A full pipe makes the writer wait; without a reader it fails with EPIPE.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int ends[2];
static char block[4096];

static void *producer(void *unused)
{
    assert(write(ends[1], block, sizeof block) == sizeof block);
    assert(write(ends[1], "x", 1) == 1); /* waits for the reader */
    assert(close(ends[1]) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    int n;
    signal(SIGPIPE, SIG_IGN);
    assert(pipe2(ends, O_CLOEXEC) == 0);
    assert(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
    assert(fcntl(ends[1], F_GETPIPE_SZ) == 4096);
    assert(fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
    pthread_create(&a, NULL, producer, NULL);
    assert(read(ends[0], block, sizeof block) == sizeof block);
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    pthread_join(a, NULL);
    assert(read(ends[0], &byte, 1) == 0);
    assert(ioctl(ends[0], FIONREAD, &n) == 0 && n == 0);
    close(ends[0]);

    assert(pipe2(ends, O_NONBLOCK) == 0);
    assert(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
    assert(read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
    assert(fcntl(ends[1], F_SETFL, 0) == 0);
    assert(write(ends[1], "yz", 2) == 2);
    assert(ioctl(ends[0], FIONREAD, &n) == 0 && n == 2);
    close(ends[0]);
    assert(write(ends[1], "z", 1) == -1 && errno == EPIPE);
    close(ends[1]);
    return 0;
}
