// Writes of more than PIPE_BUF bytes may be interleaved with others (POSIX, write()).
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 8192 };

static int ends[2];
static char letters[2][BYTES], all[2 * BYTES];

static void *put(void *mine)
{
    write(ends[1], mine, BYTES);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pipe(ends);
    memset(letters[0], 'a', BYTES);
    memset(letters[1], 'b', BYTES);
    pthread_create(&a, NULL, put, letters[0]);
    pthread_create(&b, NULL, put, letters[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int n = 0; n < 2 * BYTES;)
        n += (int)read(ends[0], all + n, (size_t)(2 * BYTES - n));
    assert(all[0] == all[BYTES - 1]);
    return 0;
}
