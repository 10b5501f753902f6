// A pipe's descriptor is closed by one thread and used by another one, and a file that is opened in between gets its
// number: what was meant for the pipe goes to the file.  Numbers of pipes and of files are apart under heddle, which the verdict says.
// expect: no-violation-found
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static ssize_t written;

static void *closes(void *unused)
{
    close(ends[1]);
    return unused;
}

static void *opens(void *unused)
{
    open("/dev/null", O_WRONLY);
    return unused;
}

static void *writes(void *unused)
{
    written = write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    char got;
    if (pipe(ends) != 0)
        return 0;
    pthread_create(&threads[0], NULL, closes, NULL);
    pthread_create(&threads[1], NULL, opens, NULL);
    pthread_create(&threads[2], NULL, writes, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (written == 1)
        assert(read(ends[0], &got, 1) == 1);
    return 0;
}
