// A stream reads all that is there, so that waiting for the descriptor waits for ever.
// expect: violation deadlock
// also: --strategy brute => violation deadlock
// also: --memory rc11 => violation deadlock
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    write(ends[1], "a\nb\n", 4);
    return unused;
}

int main(void)
{
    pthread_t a;
    char line[4];
    struct pollfd p = { .events = POLLIN };
    pipe(ends);
    p.fd = ends[0];
    FILE *in = fdopen(ends[0], "r");
    pthread_create(&a, NULL, producer, NULL);
    fgets(line, sizeof line, in);
    poll(&p, 1, -1);
    fgets(line, sizeof line, in);
    pthread_join(a, NULL);
    return 0;
}
