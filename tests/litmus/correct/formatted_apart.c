// vsnprintf() reads its strings in order: what the other thread changes last is not seen without what it
// changed before.
// expect: no-violation-found
// options: --races off
// also: --races off --strategy brute => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char a[2] = "0", b[2] = "0";

static void *writer(void *unused)
{
    a[0] = '1';
    b[0] = '1';
    return unused;
}

static void print(char *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(to, 64, format, args);
    va_end(args);
}

int main(void)
{
    pthread_t t;
    char text[64];
    pthread_create(&t, NULL, writer, NULL);
    print(text, "%d%f%d%d%d%d%d%.1s%s", 1, 2.0, 3, 4, 5, 6, 7, b, a);
    assert(strcmp(text, "12.0000003456710") != 0);
    pthread_join(t, NULL);
    return 0;
}
