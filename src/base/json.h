/* A JSON text as a tree (RFC 8259).  Strict; the tree points into its own copy of the text.
 * And the one part of writing JSON that needs care: strings. */
#ifndef HD_BASE_JSON_H
#define HD_BASE_JSON_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_json_kind {
    HD_JSON_NULL,
    HD_JSON_FALSE,
    HD_JSON_TRUE,
    HD_JSON_NUMBER,
    HD_JSON_STRING,
    HD_JSON_ARRAY,
    HD_JSON_OBJECT,
};

struct hd_json {
    enum hd_json_kind kind;
    const char *name; /* as a member of an object, otherwise NULL */
    const char *text; /* STRING, NUL-terminated (a NUL in it is an error) */
    double number;
    struct hd_json *first, *next; /* members or items; the next sibling */
};

#define HD_JSON_DEEPEST 128

struct hd_json_text {
    struct hd_json *root;
    char *text; /* what strings point into */
    struct hd_json_block *blocks;
};

/* `name` is for messages, which name the line. */
int hd_json_parse(struct hd_json_text *json, const char *name, const char *bytes, size_t n,
                  struct hd_err *err);
void hd_json_release(struct hd_json_text *json);

/* The member of an object, NULL when there is none, it is no object, or `object` is NULL: so
 * that calls can be nested without checks. */
const struct hd_json *hd_json_get(const struct hd_json *object, const char *name);

/* The text of a string, "" of anything else; the number, 0 of anything else. */
const char *hd_json_text_of(const struct hd_json *value);
uint32_t hd_json_uint(const struct hd_json *value);

/* Appends the text as a JSON string; bytes that are no UTF-8 become U+FFFD. */
void hd_json_string(struct hd_str *out, const char *text);

#endif
