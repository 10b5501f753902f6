/* What the arguments of formatted output and input say about memory. */
#ifndef HD_RUNTIME_FORMAT_H
#define HD_RUNTIME_FORMAT_H

#include "runtime/rt.h"

#include <stdarg.h>

/* The library's; vsnprintf() is the program's. */
int hd_vsnprintf(char *text, size_t size, const char *fmt, va_list args);

/* The arguments of a call that prints: each string as it was in the step that read it.  They
 * are valid until the thread uses its bounce buffer. */
struct hd_printed {
    va_list args;
    uint32_t used;   /* bytes at the end of the bounce buffer */
    char saved[176]; /* arguments in registers */
};

/* Tell what printing these arguments reads, and read it. */
void hd_format_printed(struct hd_printed *p, const char *fmt, va_list args, uint32_t site);

#endif
