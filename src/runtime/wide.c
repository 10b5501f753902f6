/* Wide strings: what string.h and stdlib.h do with bytes, done with wchar_t.  Accesses are
 * announced in bytes; the length of a string is computed before the step that reads it, which
 * makes a difference only if there is a data race. */
#include "runtime/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static uint32_t begin(void)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return site;
}

/* A length that overflows is longer than anything. */
static size_t bytes(size_t n)
{
    return n > SIZE_MAX / sizeof(wchar_t) ? SIZE_MAX : n * sizeof(wchar_t);
}

/* wcsnlen() and wcslen() are the program's. */
static size_t length(const wchar_t *text, size_t most)
{
    size_t n = 0;
    while (n < most && hd_view_wide(rt->cur, text + n))
        n++;
    return n;
}

/* Announces a read of a string of at most that many characters; returns its length. */
static size_t will_read(const wchar_t *text, size_t most, uint32_t site)
{
    size_t n = length(text, most);
    __heddle_will_read(text, bytes(n + (n < most)), site);
    return n;
}

size_t wcslen(const wchar_t *text) { return will_read(text, SIZE_MAX, begin()); }
size_t wcsnlen(const wchar_t *text, size_t most) { return will_read(text, most, begin()); }

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    __heddle_copy(to, from, bytes(n), begin());
    return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) { return wmemcpy(to, from, n); }
wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemcpy(to, from, n) + n; }

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    __heddle_will_write(to, bytes(n), begin());
    for (size_t i = 0; i < n; i++)
        hd_view_write(rt->cur, to + i, &c, sizeof c);
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    uint32_t site = begin();
    __heddle_will_read(a, bytes(n), site);
    __heddle_will_read(b, bytes(n), site);
    for (size_t i = 0; i < n; i++) {
        wchar_t x = hd_view_wide(rt->cur, a + i), y = hd_view_wide(rt->cur, b + i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

wchar_t *wmemchr(const wchar_t *in, wchar_t c, size_t n)
{
    __heddle_will_read(in, bytes(n), begin());
    for (size_t i = 0; i < n; i++)
        if (hd_view_wide(rt->cur, in + i) == c)
            return (wchar_t *)(uintptr_t)(in + i);
    return NULL;
}

/* Copies a string of n characters and ends it. */
static void put(wchar_t *to, const wchar_t *from, size_t n, uint32_t site)
{
    wchar_t nul = 0;
    __heddle_copy(to, from, bytes(n), site);
    __heddle_store_n(to + n, &nul, sizeof nul, site);
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
    uint32_t site = begin();
    size_t n = will_read(from, SIZE_MAX, site);
    put(to, from, n, site);
    return to + n;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    (void)wcpcpy(to, from);
    return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    uint32_t site = begin();
    size_t some = will_read(from, n, site);
    __heddle_copy(to, from, bytes(some), site);
    __heddle_fill(to + some, 0, bytes(n - some), site);
    return to;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    return wcsncpy(to, from, n) + length(to, n);
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t most)
{
    uint32_t site = begin();
    wchar_t *end = to + will_read(to, SIZE_MAX, site);
    put(end, from, will_read(from, most, site), site);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) { return wcsncat(to, from, SIZE_MAX); }

wchar_t *wcsdup(const wchar_t *from)
{
    uint32_t site = begin();
    size_t n = will_read(from, SIZE_MAX, site);
    wchar_t *made = malloc(bytes(n + 1));
    if (made)
        put(made, from, n, site);
    return made;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    uint32_t site = begin();
    will_read(a, n, site);
    will_read(b, n, site);
    for (size_t i = 0; i < n; i++) {
        wchar_t x = hd_view_wide(rt->cur, a + i), y = hd_view_wide(rt->cur, b + i);
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            break;
    }
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, SIZE_MAX); }

/* Functions that read two strings, or one, and are the library's otherwise. */
#define READS_TWO(type, name)                                                                    \
    type name(const wchar_t *a, const wchar_t *b)                                                \
    {                                                                                            \
        uint32_t site = begin();                                                                 \
        will_read(a, SIZE_MAX, site);                                                            \
        will_read(b, SIZE_MAX, site);                                                            \
        return REAL(type(*)(const wchar_t *, const wchar_t *), #name)(a, b);                     \
    }
READS_TWO(int, wcscoll)
READS_TWO(int, wcscasecmp)
READS_TWO(size_t, wcsspn)
READS_TWO(size_t, wcscspn)
READS_TWO(wchar_t *, wcsstr)
READS_TWO(wchar_t *, wcspbrk)

#define READS_ONE(name)                                                                          \
    wchar_t *name(const wchar_t *text, wchar_t c)                                                \
    {                                                                                            \
        will_read(text, SIZE_MAX, begin());                                                      \
        return REAL(wchar_t * (*)(const wchar_t *, wchar_t), #name)(text, c);                    \
    }
READS_ONE(wcschr)
READS_ONE(wcsrchr)
