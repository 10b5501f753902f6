/* Between wide characters and those of several bytes.  mbtowc, wctomb and mblen have one state for
 * all threads; in the encodings without shift states, the only ones that glibc has in its locales,
 * it stays as it is, so only the conflict is left of it. */
#include "runtime/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static char conversion_state; /* only its address matters */

static uint32_t begin(void)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return site;
}

/* One character of at most n bytes; how many it has, 0 for NUL, -1 when it is none. */
static int one(wchar_t *into, const char *from, size_t n, uint32_t site)
{
    mbstate_t state = { 0 };
    wchar_t c;
    __heddle_will_write(&conversion_state, 1, site);
    if (!from)
        return 0;
    size_t used = mbrtowc(&c, from, n, &state);
    bool is_one = used <= n;
    __heddle_will_read(from, is_one ? (used ? used : 1) : strnlen(from, n), site);
    if (!is_one)
        return -1;
    if (into)
        __heddle_store_n(into, &c, sizeof c, site);
    return (int)used;
}

int mbtowc(wchar_t *restrict into, const char *restrict from, size_t n)
{
    return one(into, from, n, begin());
}

int mblen(const char *from, size_t n) { return one(NULL, from, n, begin()); }

int wctomb(char *into, wchar_t c)
{
    uint32_t site = begin();
    mbstate_t state = { 0 };
    char made[64]; /* MB_LEN_MAX is less */
    __heddle_will_write(&conversion_state, 1, site);
    if (!into)
        return 0;
    size_t n = wcrtomb(made, c, &state);
    if (n == (size_t)-1)
        return -1;
    __heddle_store_n(into, made, n, site);
    return (int)n;
}

size_t mbstowcs(wchar_t *restrict into, const char *restrict from, size_t n)
{
    typedef size_t convert_fn(wchar_t *, const char *, size_t);
    uint32_t site = begin();
    convert_fn *convert = REAL(convert_fn *, "mbstowcs");
    __heddle_will_read_string(from, UINT64_MAX, site);
    size_t all = convert(NULL, from, 0);
    if (into && all != (size_t)-1)
        __heddle_will_write(into, (all < n ? all + 1 : n) * sizeof *into, site);
    else if (into) /* what comes before the one that is none */
        __heddle_will_write(into, n * sizeof *into, site);
    return convert(into, from, n);
}

size_t wcstombs(char *restrict into, const wchar_t *restrict from, size_t n)
{
    typedef size_t convert_fn(char *, const wchar_t *, size_t);
    uint32_t site = begin();
    convert_fn *convert = REAL(convert_fn *, "wcstombs");
    size_t length = 0;
    while (from[length])
        length++;
    __heddle_will_read(from, (length + 1) * sizeof *from, site);
    size_t all = convert(NULL, from, 0);
    if (into)
        __heddle_will_write(into, all < n ? all + 1 : n, site);
    return convert(into, from, n);
}
