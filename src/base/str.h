/* Growable strings and vectors of strings. */
#ifndef HD_BASE_STR_H
#define HD_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* `text` is always NUL-terminated; it may also hold NUL bytes of its own (`length` counts). */
struct hd_str {
    char *text;
    size_t length;
    size_t room; /* allocated bytes; 0 while text is the static empty string */
};

void hd_str_init(struct hd_str *s);
void hd_str_release(struct hd_str *s);
void hd_str_clear(struct hd_str *s);                /* empty again, memory kept */
void hd_str_cut(struct hd_str *s, size_t length);   /* to that length, which it has at least */
void hd_str_reserve(struct hd_str *s, size_t more); /* room for that many bytes and a NUL */
void hd_str_append(struct hd_str *s, const char *text);
void hd_str_append_bytes(struct hd_str *s, const void *bytes, size_t n);
void hd_str_append_char(struct hd_str *s, char c);
/* As text of XML or HTML; bytes that are no characters of XML 1.0 become '?'. */
void hd_str_append_xml(struct hd_str *s, const char *text);
void hd_str_appendf(struct hd_str *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hd_str_vappendf(struct hd_str *s, const char *format, va_list args);
char *hd_str_detach(struct hd_str *s); /* the caller frees it; s is empty again */

/* A formatted string on the heap; the caller frees it. */
char *hd_str_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool hd_str_starts(const char *text, const char *prefix);
bool hd_str_ends(const char *text, const char *suffix);

/* The length of the UTF-8 sequence at `at`, 0 when there is none. */
size_t hd_utf8_length(const char *at);

/* A vector of owned strings, followed by a NULL: `items` may be used as an argv. */
struct hd_strs {
    char **items;
    size_t n;
    size_t room;
};

void hd_strs_init(struct hd_strs *v);
void hd_strs_release(struct hd_strs *v);
void hd_strs_add(struct hd_strs *v, const char *text); /* copies */
void hd_strs_addf(struct hd_strs *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hd_strs_adopt(struct hd_strs *v, char *text); /* takes */
void hd_strs_add_all(struct hd_strs *v, const struct hd_strs *other);
bool hd_strs_has(const struct hd_strs *v, const char *text);

#endif
