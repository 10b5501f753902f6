// The reader does not wait, and may look before main has written.
// expect: violation assertion
// also: --memory rc11 => violation assertion
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *look(void *unused)
{
    char c;
    assert(read(ends[0], &c, 1) == 1); /* violation */
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe2(ends, O_NONBLOCK))
        return 1;
    pthread_create(&thread, NULL, look, NULL);
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
