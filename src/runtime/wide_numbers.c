/* Numbers in wide strings.  The end of the number goes where the program wants it in a step of
 * its own.  <wchar.h> is left out: it gives these functions other names. */
#include "runtime/memory.h"

#include <stddef.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static void will_read(const wchar_t *text, uint32_t site)
{
    size_t n = 1;
    while (hd_view_wide(rt->cur, text + n - 1))
        n++;
    __heddle_will_read(text, n * sizeof *text, site);
}

static uint32_t begin(void)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return site;
}

#define NUMBER(type, name)                                                                       \
    type name(const wchar_t *text, wchar_t **end);                                               \
    type name(const wchar_t *text, wchar_t **end)                                                \
    {                                                                                            \
        uint32_t site = begin();                                                                 \
        wchar_t *stop;                                                                           \
        will_read(text, site);                                                                   \
        type value = REAL(type(*)(const wchar_t *, wchar_t **), #name)(text, &stop);             \
        if (end)                                                                                 \
            __heddle_store_n(end, &stop, sizeof stop, site);                                     \
        return value;                                                                            \
    }
/* wcstol() and its like have other names, by the standard that the program was compiled for. */
#define INTEGER_NAMED(type, name)                                                                \
    type name(const wchar_t *text, wchar_t **end, int base);                                     \
    type name(const wchar_t *text, wchar_t **end, int base)                                      \
    {                                                                                            \
        uint32_t site = begin();                                                                 \
        wchar_t *stop;                                                                           \
        will_read(text, site);                                                                   \
        type value = REAL(type(*)(const wchar_t *, wchar_t **, int), #name)(text, &stop, base);  \
        if (end)                                                                                 \
            __heddle_store_n(end, &stop, sizeof stop, site);                                     \
        return value;                                                                            \
    }
#define INTEGER(type, name) INTEGER_NAMED(type, name) INTEGER_NAMED(type, __isoc23_##name)
NUMBER(double, wcstod)
NUMBER(float, wcstof)
NUMBER(long double, wcstold)
INTEGER(long, wcstol)
INTEGER(long long, wcstoll)
INTEGER(unsigned long, wcstoul)
INTEGER(unsigned long long, wcstoull)
