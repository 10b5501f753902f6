// Standard error is closed by the only thread, then used by one while another one makes a pipe, which gets its number.
// Numbers of pipes are others under heddle, which the verdict says.
// expect: no-violation-found
// also: --strategy optimal => no-violation-found
// also: --strategy stateful => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static ssize_t written;

static void *makes(void *unused)
{
    return pipe(ends) == 0 ? unused : NULL; /* the ends are 0 and 2 */
}

static void *writes(void *unused)
{
    written = write(2, "x", 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    close(0);
    close(2);
    pthread_create(&threads[0], NULL, makes, NULL);
    pthread_create(&threads[1], NULL, writes, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(written == -1);
    return 0;
}
