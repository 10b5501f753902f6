#include "base/str.h"

#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char empty[1];

void hd_str_init(struct hd_str *s) { *s = (struct hd_str){ .text = empty }; }

void hd_str_release(struct hd_str *s)
{
    if (s->room)
        free(s->text);
    hd_str_init(s);
}

void hd_str_clear(struct hd_str *s) { hd_str_cut(s, 0); }

void hd_str_cut(struct hd_str *s, size_t length)
{
    s->length = length;
    if (s->room)
        s->text[length] = 0;
}

void hd_str_reserve(struct hd_str *s, size_t more)
{
    size_t need = s->length + more + 1;
    if (need <= s->room)
        return;
    size_t room = s->room ? s->room * 2 : 64;
    if (room < need)
        room = need;
    s->text = hd_realloc(s->room ? s->text : NULL, room);
    s->room = room;
    s->text[s->length] = 0;
}

void hd_str_append_bytes(struct hd_str *s, const void *bytes, size_t n)
{
    hd_str_reserve(s, n);
    if (n)
        memcpy(s->text + s->length, bytes, n);
    s->length += n;
    s->text[s->length] = 0;
}

void hd_str_append(struct hd_str *s, const char *text)
{
    hd_str_append_bytes(s, text, strlen(text));
}

void hd_str_append_char(struct hd_str *s, char c) { hd_str_append_bytes(s, &c, 1); }

void hd_str_vappendf(struct hd_str *s, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        hd_bug("bad format: %s", format);
    hd_str_reserve(s, (size_t)n);
    vsnprintf(s->text + s->length, (size_t)n + 1, format, again);
    va_end(again);
    s->length += (size_t)n;
}

void hd_str_appendf(struct hd_str *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hd_str_vappendf(s, format, args);
    va_end(args);
}

void hd_str_append_xml(struct hd_str *s, const char *text)
{
    while (*text) {
        size_t n = hd_utf8_length(text);
        if (*text == '&')
            hd_str_append(s, "&amp;");
        else if (*text == '<')
            hd_str_append(s, "&lt;");
        else if (*text == '>')
            hd_str_append(s, "&gt;");
        else if (*text == '"')
            hd_str_append(s, "&quot;");
        else if (n == 0 || (n == 1 && *text < ' ' && *text != '\n' && *text != '\t'))
            hd_str_append_char(s, '?');
        else
            hd_str_append_bytes(s, text, n);
        text += n ? n : 1;
    }
}

char *hd_str_detach(struct hd_str *s)
{
    char *text = s->room ? s->text : hd_strdup("");
    hd_str_init(s);
    return text;
}

char *hd_str_format(const char *format, ...)
{
    struct hd_str s;
    va_list args;
    hd_str_init(&s);
    va_start(args, format);
    hd_str_vappendf(&s, format, args);
    va_end(args);
    return hd_str_detach(&s);
}

bool hd_str_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool hd_str_ends(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

void hd_strs_init(struct hd_strs *v) { *v = (struct hd_strs){ 0 }; }

void hd_strs_release(struct hd_strs *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->items[i]);
    free(v->items);
    hd_strs_init(v);
}

void hd_strs_adopt(struct hd_strs *v, char *text)
{
    if (v->n + 1 >= v->room) {
        v->room = v->room ? v->room * 2 : 16;
        v->items = hd_realloc(v->items, v->room * sizeof *v->items);
    }
    v->items[v->n++] = text;
    v->items[v->n] = NULL;
}

void hd_strs_add(struct hd_strs *v, const char *text) { hd_strs_adopt(v, hd_strdup(text)); }

void hd_strs_addf(struct hd_strs *v, const char *format, ...)
{
    struct hd_str s;
    va_list args;
    hd_str_init(&s);
    va_start(args, format);
    hd_str_vappendf(&s, format, args);
    va_end(args);
    hd_strs_adopt(v, hd_str_detach(&s));
}

void hd_strs_add_all(struct hd_strs *v, const struct hd_strs *other)
{
    for (size_t i = 0; i < other->n; i++)
        hd_strs_add(v, other->items[i]);
}

bool hd_strs_has(const struct hd_strs *v, const char *text)
{
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(v->items[i], text) == 0)
            return true;
    return false;
}

size_t hd_utf8_length(const char *at)
{
    const unsigned char *text = (const unsigned char *)at;
    size_t n = text[0] < 0x80                      ? 1
               : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
               : (text[0] & 0xf0) == 0xe0          ? 3
               : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                   : 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}
