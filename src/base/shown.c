#include "base/shown.h"

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t code_at(const unsigned char *at, size_t n)
{
    uint32_t code = n == 1 ? *at : *at & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}

/* Control characters, the separators of lines, and what changes the direction of the text. */
static bool is_unfit(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

/* The length of the character at the place; *unfit: it must be escaped. */
static size_t length_at(const char *at, const char *end, bool *unfit, uint32_t *code)
{
    unsigned char first = (unsigned char)*at;
    size_t wants = first < 0xe0 ? (first < 0xc0 ? 1 : 2) : first < 0xf0 ? 3 : 4;
    size_t n = *at && wants <= (size_t)(end - at) ? hd_utf8_length(at) : 0;
    *code = n ? code_at((const unsigned char *)at, n) : (unsigned char)*at;
    *unfit = n == 0 || is_unfit(*code);
    return n ? n : 1;
}

bool hd_shown_clean(const char *text)
{
    while (*text >= 0x20 && *text < 0x7f) /* nearly all names end here */
        text++;
    const char *end = text + strlen(text);
    bool unfit = false;
    uint32_t code;
    while (text < end && !unfit)
        text += length_at(text, end, &unfit, &code);
    return !unfit;
}

static void escape(struct hd_str *out, uint32_t code, bool whole)
{
    static const char letters[] = "abtnvfr";
    if (code >= 7 && code <= 13)
        hd_str_appendf(out, "\\%c", letters[code - 7]);
    else
        hd_str_appendf(out, code < 0x80 || !whole ? "\\x%02x" : "\\u%04x", code);
}

void hd_shown_bytes(struct hd_str *out, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        bool unfit;
        uint32_t code;
        size_t n = length_at(text, end, &unfit, &code);
        if (unfit)
            escape(out, code, n > 1);
        else
            hd_str_append_bytes(out, text, n);
        text += n;
    }
}

void hd_shown_lines(struct hd_str *out, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = text;
        while (stop < end && *stop != '\n' && *stop != '\t')
            stop++;
        bool return_before = stop > text && stop < end && *stop == '\n' && stop[-1] == '\r';
        hd_shown_bytes(out, text, (size_t)(stop - text) - return_before);
        if (stop < end)
            hd_str_append_char(out, *stop++);
        text = stop;
    }
}

void hd_shown(struct hd_str *out, const char *text) { hd_shown_bytes(out, text, strlen(text)); }

char *hd_shown_dup(const char *text)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_shown(&out, text);
    return hd_str_detach(&out);
}

void hd_shown_array(char *text, size_t room)
{
    text[room - 1] = 0;
    if (hd_shown_clean(text))
        return;
    char *shown = hd_shown_dup(text);
    size_t n = strlen(shown);
    if (n >= room) {
        n = room - 1;
        while (n > 0 && ((unsigned char)shown[n] & 0xc0) == 0x80)
            n--; /* not in the middle of a character */
    }
    memcpy(text, shown, n);
    text[n] = 0;
    free(shown);
}
