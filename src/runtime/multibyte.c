/* Conversions between wide and multibyte characters. mbtowc, wctomb and mblen share one state
 * among all threads.  In encodings without shift states, the only ones in glibc's locales, it
 * never changes, so only the conflict matters. */
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

/* Convert one character of at most n bytes.  Returns its length, 0 for NUL, -1 if it is
 * invalid. */
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
    else if (into) /* the characters before the invalid one */
        __heddle_will_write(into, n * sizeof *into, site);
    return convert(into, from, n);
}

size_t wcstombs(char *restrict into, const wchar_t *restrict from, size_t n)
{
    typedef size_t convert_fn(char *, const wchar_t *, size_t);
    uint32_t site = begin();
    convert_fn *convert = REAL(convert_fn *, "wcstombs");
    size_t length = 0;
    while (hd_view_wide(rt->cur, from + length))
        length++;
    __heddle_will_read(from, (length + 1) * sizeof *from, site);
    size_t all = convert(NULL, from, 0);
    if (into)
        __heddle_will_write(into, all < n ? all + 1 : n, site);
    return convert(into, from, n);
}

/* The state of a conversion in pieces: the caller's, or one that all threads share. */
static mbstate_t state_of(mbstate_t *theirs, uint32_t site)
{
    mbstate_t state = { 0 };
    if (theirs)
        __heddle_load_n(theirs, &state, sizeof state, site);
    else
        __heddle_will_write(&conversion_state, 1, site);
    return state;
}

/* Store the position after what was converted; NULL after the end of the text. */
static void settle(const void *at, const void **from, const mbstate_t *state, mbstate_t *theirs,
                   uint32_t site)
{
    __heddle_store_n(from, &at, sizeof at, site);
    if (theirs)
        __heddle_store_n(theirs, state, sizeof *state, site);
}

size_t mbsrtowcs(wchar_t *restrict into, const char **restrict from, size_t n,
                 mbstate_t *restrict theirs)
{
    uint32_t site = begin();
    const char *text, *at;
    mbstate_t state = state_of(theirs, site);
    __heddle_load_n((const void *)from, (void *)&text, sizeof text, site);
    at = text;
    for (size_t done = 0;; done++) {
        wchar_t c;
        if (into && done == n) {
            settle(at, (const void **)from, &state, theirs, site);
            return done;
        }
        size_t length = strlen(at) + 1, used = mbrtowc(&c, at, length, &state);
        __heddle_will_read(at, used <= length && used ? used : 1, site);
        if (used > length) {
            if (into)
                settle(at, (const void **)from, &state, theirs, site);
            return (size_t)-1;
        }
        if (into)
            __heddle_store_n(&into[done], &c, sizeof c, site);
        if (used == 0) {
            if (into)
                settle(NULL, (const void **)from, &state, theirs, site);
            return done;
        }
        at += used;
    }
}

size_t wcsrtombs(char *restrict into, const wchar_t **restrict from, size_t n,
                 mbstate_t *restrict theirs)
{
    uint32_t site = begin();
    const wchar_t *at;
    mbstate_t state = state_of(theirs, site);
    __heddle_load_n((const void *)from, (void *)&at, sizeof at, site);
    for (size_t done = 0;; at++) {
        char made[64]; /* MB_LEN_MAX is less */
        wchar_t c;
        __heddle_load_n(at, &c, sizeof c, site);
        size_t bytes = wcrtomb(made, c, &state);
        bool bad = bytes == (size_t)-1, full = into && !bad && done + bytes > n;
        if (bad || full) {
            if (into)
                settle(at, (const void **)from, &state, theirs, site);
            return bad ? (size_t)-1 : done;
        }
        if (into)
            __heddle_store_n(into + done, made, bytes, site);
        if (c == 0) {
            if (into)
                settle(NULL, (const void **)from, &state, theirs, site);
            return done;
        }
        done += bytes;
    }
}
