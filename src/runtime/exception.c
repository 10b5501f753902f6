/* abort() was called by the C++ library: which exception is not caught, if any?  The library is
 * asked through its C interface, if the program has it. */
#include "runtime/exception.h"
#include "runtime/rt.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type {
    const void *table;
    const char *name;
    const struct type *base; /* of a class with one base */
};

typedef const char *what_fn(const void *exception);

extern const struct type *__cxa_current_exception_type(void) __attribute__((weak));
extern char **__cxa_get_globals(void) __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *to, size_t *room, int *status)
    __attribute__((weak));
extern const char one_base[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE")
    __attribute__((weak));

/* The exception that is being handled: it follows its header of the Itanium ABI, whose
 * unwinder's part says whether it is one itself (rethrown ones refer to another). */
enum { HEADER_CLASS = 80, HEADER_BYTES = 112 };

static void **current(void)
{
    char *header = __cxa_get_globals ? *__cxa_get_globals() : NULL;
    uint64_t class;
    if (!header)
        return NULL;
    memcpy(&class, header + HEADER_CLASS, sizeof class);
    return class == 0x474e5543432b2b00 ? (void **)(void *)(header + HEADER_BYTES) : NULL;
}

static bool is_standard(const struct type *type)
{
    while (strcmp(type->name, "St9exception") != 0) {
        if (!one_base || type->table != one_base + 16)
            return false;
        type = type->base;
    }
    return true;
}

bool hd_exception_uncaught(const void *caller, char *text, size_t size)
{
    Dl_info info;
    if (!__cxa_current_exception_type || !dladdr(caller, &info) || !info.dli_fname ||
        !strstr(info.dli_fname, "libstdc++"))
        return false;
    const struct type *type = __cxa_current_exception_type();
    if (!type) {
        snprintf(text, size,
                 "std::terminate() called without an exception, as by the destructor of a "
                 "std::thread that was neither joined nor detached");
        return true;
    }
    int status = -1;
    const char *name = type->name + (*type->name == '*');
    char *readable = __cxa_demangle ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    int n = snprintf(text, size, "an exception of type %s is not caught",
                     status == 0 ? readable : name);
    void **exception = is_standard(type) ? current() : NULL;
    if (exception && n > 0 && (size_t)n < size) {
        what_fn *what = ((what_fn **)*exception)[2]; /* after the two destructors */
        snprintf(text + n, size - (size_t)n, ": %s", what(exception));
    }
    return true;
}
