#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hd_err_set(struct hd_err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return -1;
}

_Noreturn void hd_bug(const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fputs("heddle: internal error: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(HD_EXIT_INTERNAL);
}

static void *checked(void *p)
{
    if (p == NULL) {
        fputs("heddle: out of memory\n", stderr);
        exit(HD_EXIT_INPUT);
    }
    return p;
}

void *hd_alloc(unsigned long bytes) { return checked(calloc(1, bytes ? bytes : 1)); }

void *hd_realloc(void *old, unsigned long bytes)
{
    return checked(realloc(old, bytes ? bytes : 1));
}

char *hd_strdup(const char *text) { return checked(strdup(text)); }
