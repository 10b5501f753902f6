// Whichever of two pipes is ready is read from, without waiting; the end of a pipe is told, too.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int pipes[2][2];

static void *producer(void *which)
{
    int out = pipes[(uintptr_t)which][1];
    assert(write(out, "x", 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char byte;
    int got[2] = { 0, 0 };
    pipe(pipes[0]);
    pipe(pipes[1]);
    pthread_create(&a, NULL, producer, (void *)0);
    pthread_create(&b, NULL, producer, (void *)1);
    while (got[0] + got[1] < 2) {
        struct pollfd p[2] = { { pipes[0][0], POLLIN, 0 }, { pipes[1][0], POLLIN, 0 } };
        assert(poll(p, 2, -1) > 0);
        for (int i = 0; i < 2; i++)
            if (p[i].revents & POLLIN) {
                assert(read(pipes[i][0], &byte, 1) == 1);
                got[i]++;
            }
    }
    assert(got[0] == 1 && got[1] == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct pollfd p = { pipes[0][0], POLLIN, 0 };
    assert(poll(&p, 1, 0) == 0);
    close(pipes[0][1]);
    assert(ppoll(&p, 1, NULL, NULL) == 1 && p.revents == POLLHUP);
    return 0;
}
