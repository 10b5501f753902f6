// Every call holds the stream's lock, and flockfile() keeps several together: lines are whole, in one
// order or the other.
// expect: verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *out;

static void *second(void *unused)
{
    flockfile(out);
    putc_unlocked('c', out);
    putc_unlocked('d', out);
    funlockfile(out);
    return unused;
}

int main(void)
{
    pthread_t a;
    int ends[2];
    char text[8];
    pipe(ends);
    out = fdopen(ends[1], "w");
    setvbuf(out, NULL, _IONBF, 0);
    pthread_create(&a, NULL, second, NULL);
    fputs("ab", out);
    pthread_join(a, NULL);
    assert(read(ends[0], text, sizeof text) == 4);
    assert(memcmp(text, "abcd", 4) == 0 || memcmp(text, "cdab", 4) == 0);
    return 0;
}
