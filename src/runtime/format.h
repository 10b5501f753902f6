/* What the arguments of formatted output and input say about memory. */
#ifndef HD_RUNTIME_FORMAT_H
#define HD_RUNTIME_FORMAT_H

#include "runtime/rt.h"

#include <stdarg.h>

/* The library's; vsnprintf() is the program's. */
int hd_vsnprintf(char *text, size_t size, const char *fmt, va_list args);

/* Tell what printing these arguments reads. */
void hd_format_printed(const char *fmt, va_list args, uint32_t site);

#endif
