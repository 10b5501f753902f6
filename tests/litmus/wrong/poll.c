// Only one of the pipes that are ready is read from, and the next poll is for the other alone.
// expect: violation deadlock
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int pipes[2][2];

static void *producer(void *which)
{
    write(pipes[(uintptr_t)which][1], "x", 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char byte;
    pipe(pipes[0]);
    pipe(pipes[1]);
    pthread_create(&a, NULL, producer, (void *)0);
    pthread_create(&b, NULL, producer, (void *)1);
    struct pollfd p[2] = { { pipes[0][0], POLLIN, 0 }, { pipes[1][0], POLLIN, 0 } };
    poll(p, 2, -1);
    int first = p[0].revents ? 0 : 1;
    read(pipes[first][0], &byte, 1);
    poll(&p[0], 1, -1); /* violation */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
