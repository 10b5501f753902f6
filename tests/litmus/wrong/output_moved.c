// One thread closes standard output while another one writes there, which fails if it comes later.  Output is no action, so only one
// of the two orders may be explored, and the verdict says so.
// expect: no-violation-found
// also: --strategy optimal => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
// also: --reduce none => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static ssize_t written;

static void *closes(void *unused)
{
    close(1);
    return unused;
}

static void *writes(void *unused)
{
    written = write(1, "x", 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writes, NULL);
    pthread_create(&threads[1], NULL, closes, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(written == 1);
    return 0;
}
