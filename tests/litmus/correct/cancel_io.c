// Two threads read from a pipe that gets one byte; one of them is cancelled.  Whoever gets the byte, a
// cancelled thread takes nothing with it, and nobody waits for ever.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *work(void *got)
{
    char byte;
    *(ssize_t *)got = read(ends[0], &byte, 1);
    return got;
}

int main(void)
{
    pthread_t a, b;
    void *result_a, *result_b;
    ssize_t got_a = -1, got_b = -1;
    pipe(ends);
    pthread_create(&a, NULL, work, &got_a);
    pthread_create(&b, NULL, work, &got_b);
    write(ends[1], "x", 1);
    pthread_cancel(a);
    pthread_join(a, &result_a);
    close(ends[1]);
    pthread_join(b, &result_b);
    assert(result_b == &got_b);
    assert(result_a == PTHREAD_CANCELED ? got_b == 1 : got_a + got_b == 1);
    return 0;
}
