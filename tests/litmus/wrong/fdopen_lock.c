// Two calls on a stream: another thread's line comes between them.
// expect: violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *out;

static void *second(void *unused)
{
    fputc('c', out);
    fputc('d', out);
    return unused;
}

int main(void)
{
    pthread_t a;
    int ends[2];
    char text[8];
    pipe(ends);
    out = fdopen(ends[1], "w");
    pthread_create(&a, NULL, second, NULL);
    fputs("ab", out);
    pthread_join(a, NULL);
    fflush(out);
    read(ends[0], text, sizeof text);
    assert(memcmp(text, "abcd", 4) == 0 || memcmp(text, "cdab", 4) == 0); /* violation */
    return 0;
}
