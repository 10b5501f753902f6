#include "base/demangle.h"

#include "base/shorten.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

/* The C++ library that LLVM uses can demangle; without it, the symbol is shown. */
void hd_demangle(struct hd_str *out, const char *symbol, size_t n)
{
    typedef char *demangle_fn(const char *, char *, size_t *, int *);
    demangle_fn *demangle = NULL;
    char *mangled = hd_str_format("%.*s", (int)n, symbol), *readable = NULL;
    int status = -1;
    if (hd_str_starts(mangled, "_Z"))
        demangle = (demangle_fn *)(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_demangle");
    if (demangle)
        readable = demangle(mangled, NULL, NULL, &status);
    if (status == 0)
        hd_shorten(out, readable);
    else
        hd_str_append(out, mangled);
    free(readable);
    free(mangled);
}
