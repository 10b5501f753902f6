// A file is closed by one thread and written by another one, and a pipe that is made in between gets its number.  Numbers of
// pipes and of files are apart under heddle, which the verdict says.
// expect: no-violation-found
// also: --strategy optimal => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int file, ends[2];

static void *closes(void *unused)
{
    close(file);
    return unused;
}

static void *writes(void *unused)
{
    write(file, "x", 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    char got;
    file = open("/dev/null", O_WRONLY);
    pthread_create(&threads[0], NULL, closes, NULL);
    pthread_create(&threads[1], NULL, writes, NULL);
    if (pipe(ends) != 0)
        return 0;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    assert(read(ends[0], &got, 1) == -1);
    return 0;
}
