// vsnprintf() reads its strings one after the other: the first as it was before another thread changed both, the
// second as it is afterwards.
// expect: violation assertion
// options: --races off
// also: --races off --strategy brute => violation assertion
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
    print(text, "%d%f%d%d%d%d%d%.1s%s", 1, 2.0, 3, 4, 5, 6, 7, a,
          b);                                      /* arguments on the stack, too */
    assert(strcmp(text, "12.0000003456701") != 0); /* violation */
    pthread_join(t, NULL);
    return 0;
}
