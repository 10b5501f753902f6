/* What the programs about library calls share: headers, and variables and small functions of every
 * kind, of which each variant uses a few. */
#ifndef HOSTILE_LIBRARY_H
#define HOSTILE_LIBRARY_H

#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

struct big {
    int v[5];
};

static char text[64] = "0123456789abcdef", global[5] = "glob", *pointer = text;
static char unterminated[4] = { 'a', 'b', 'c', 'd' }, small[4];
static const char letters[4] = { 'a', 'b', 'c', 'd' };
static int numbers[4] = { 3, 1, 2, 0 };
static _Thread_local char own[4];
static volatile int many = 6;
static volatile long sunk;

static void sink(long value) { sunk = value; }
static void *nothing(void *arg) { return arg; }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int formatted(char *into, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(into, 64, format, args);
    va_end(args);
    return n;
}

static void print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

static int sum(int n, ...)
{
    int total = 0;
    va_list args;
    va_start(args, n);
    while (n--)
        total += va_arg(args, int);
    va_end(args);
    return total;
}

static long double reals(int n, ...)
{
    long double total = 0;
    va_list args;
    va_start(args, n);
    while (n--)
        total += va_arg(args, long double);
    va_end(args);
    return total;
}

static int bigs(int n, ...)
{
    int total = 0;
    va_list args;
    va_start(args, n);
    while (n--)
        total += va_arg(args, struct big).v[4];
    va_end(args);
    return total;
}

static char *returned(void)
{
    char b[8] = "abc", *p = b;
    puts(p);
    return p;
}

static char *kept(int i)
{
    static char b[8];
    sprintf(b, "%d", i);
    return b;
}

static void number(char *into, int i) { sprintf(into, "%d", i); }

static void deep(int n)
{
    char b[8];
    sprintf(b, "%d", n);
    puts(b);
    if (n)
        deep(n - 1);
    puts(b);
}

#endif
