// That a write may be cut short is forgotten: the second half never comes.
// expect: violation assertion
// options: --faults io:1
// also: => verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    ssize_t n = write(ends[1], "abcd", 4);
    assert(n == 4 || n < 0); /* violation */
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[4];
    pipe(ends);
    pthread_create(&a, NULL, producer, NULL);
    read(ends[0], text, 4);
    pthread_join(a, NULL);
    return 0;
}
