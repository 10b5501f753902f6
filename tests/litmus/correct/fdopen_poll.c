// A stream reads all that is there.  What it holds is asked for before the descriptor is.
// expect: verified
// also: --strategy brute => verified
// also: --memory rc11 => verified
#include <assert.h>
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
    assert(fgets(line, sizeof line, in) && line[0] == 'a');
    assert(poll(&p, 1, 0) == 0); /* nothing is left in the pipe */
    assert(fgets(line, sizeof line, in) && line[0] == 'b');
    pthread_join(a, NULL);
    return 0;
}
