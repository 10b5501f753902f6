// A stream of bytes: nothing is lost, the reader sees the end when the writer closes.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    assert(write(ends[1], "ab", 2) == 2);
    assert(write(ends[1], "c", 1) == 1);
    assert(close(ends[1]) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[8];
    size_t n = 0;
    ssize_t got;
    assert(pipe(ends) == 0 && ends[0] != ends[1]);
    pthread_create(&a, NULL, producer, NULL);
    while ((got = read(ends[0], text + n, sizeof text - n)) > 0)
        n += (size_t)got;
    assert(got == 0 && n == 3 && memcmp(text, "abc", 3) == 0);
    pthread_join(a, NULL);
    assert(close(ends[0]) == 0 && close(ends[0]) == -1);
    return 0;
}
