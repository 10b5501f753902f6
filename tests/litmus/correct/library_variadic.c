// expect: verified
// Some arguments of the call lie on the stack, next to the local that is printed into, which has room.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static void print(char *into, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsprintf(into, format, args);
    va_end(args);
}

static void *work(void *unused)
{
    char line[20];
    print(line, "%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8);
    print(line, "%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 10008);
    puts(line);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
