/* Names of C++ as they are written in the source. */
#ifndef HD_BASE_DEMANGLE_H
#define HD_BASE_DEMANGLE_H

#include "base/str.h"

/* Appends the first `n` characters of the symbol, readable if it is one of C++, and
 * then not too long (base/shorten.h). */
void hd_demangle(struct hd_str *out, const char *symbol, size_t n);

/* The same of a function, without its return type and its parameters: Queue<int>::push. */
void hd_demangle_function(struct hd_str *out, const char *symbol, size_t n);

#endif
