// Files and pipes are closed and opened by several threads, each of which uses its own until it has closed them.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *with_pipe(void *unused)
{
    int ends[2];
    char got;
    if (pipe(ends) != 0)
        return unused;
    assert(write(ends[1], "x", 1) == 1);
    assert(read(ends[0], &got, 1) == 1 && got == 'x');
    close(ends[0]);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, with_pipe, NULL);
    int file = open("/dev/null", O_WRONLY);
    assert(write(file, "y", 1) == 1);
    close(file);
    pthread_join(thread, NULL);
    return 0;
}
