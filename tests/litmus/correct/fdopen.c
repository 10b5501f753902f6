// Streams over a pipe: what is flushed, or written when the stream is closed, is read line by line up to
// the end.
// expect: verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    FILE *out = fdopen(ends[1], "w");
    assert(out && fileno(out) == ends[1]);
    assert(fprintf(out, "%s %d\n", "one", 1) == 6);
    assert(fputs("two\n", out) >= 0);
    assert(fflush(out) == 0);
    assert(fwrite("abc", 1, 3, out) == 3 && putc('d', out) == 'd');
    assert(fgetc(out) == EOF && ferror(out)); /* it only writes */
    assert(fclose(out) == 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    char line[16], *grown = NULL;
    size_t room = 0;
    assert(pipe(ends) == 0);
    FILE *in = fdopen(ends[0], "r");
    assert(in && fdopen(ends[0], "w") == NULL);
    pthread_create(&a, NULL, producer, NULL);
    assert(fgets(line, sizeof line, in) == line && strcmp(line, "one 1\n") == 0);
    assert(getline(&grown, &room, in) == 4 && strcmp(grown, "two\n") == 0);
    assert(fgetc(in) == 'a' && ungetc('x', in) == 'x' && getc(in) == 'x');
    assert(!feof(in) && fread(line, 1, sizeof line, in) == 3 && memcmp(line, "bcd", 3) == 0);
    assert(feof(in) && !ferror(in) && fgets(line, sizeof line, in) == NULL);
    clearerr(in);
    assert(!feof(in) && getc(in) == EOF && feof(in));
    pthread_join(a, NULL);
    assert(fclose(in) == 0 && close(ends[0]) == -1);
    free(grown);
    return 0;
}
