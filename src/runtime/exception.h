/* Information about a C++ exception that is not caught. */
#ifndef HD_RUNTIME_EXCEPTION_H
#define HD_RUNTIME_EXCEPTION_H

#include <stdbool.h>
#include <stddef.h>

/* Has the C++ library called, from `caller`, because of an exception?  Says which. */
bool hd_exception_uncaught(const void *caller, char *text, size_t size);

#endif
