/* A value as the source would write it, by its type in the debug information. */
#ifndef HD_SUPERVISE_DWARF_VALUE_H
#define HD_SUPERVISE_DWARF_VALUE_H

#include "base/str.h"

#include <elfutils/libdw.h>
#include <stdint.h>

enum hd_value_kind {
    HD_VALUE_UNKNOWN, /* nothing was appended */
    HD_VALUE_TEXT,    /* appended */
    HD_VALUE_POINTER, /* it is a pointer, which the debug information knows nothing of */
    HD_VALUE_CHARS,   /* the same, to characters */
};

/* Appends 2.5, 'a', true, RUNNING, "text", {x = 1, y = 2}.  `value` is the first 8 bytes of
 * `bytes`; of a long double it is the nearest double. */
enum hd_value_kind hd_dwarf_value(Dwarf_Die type, uint64_t value, uint64_t bytes,
                                  struct hd_str *out);

/* Appends a number of a base type that C has without any declaration, by its name; false:
 * `name` is none. */
bool hd_value_plain(const char *name, size_t length, uint64_t value, uint64_t bytes,
                    struct hd_str *out);

/* Appends the first bytes of an array of char as text; `bytes` may be more than the 8 that
 * `value` has. */
void hd_value_text(uint64_t value, uint64_t bytes, struct hd_str *out);

#endif
