/* The types of the debug information, by what the table of sites calls them (core/site.h). */
#ifndef HD_SUPERVISE_DWARF_TYPES_H
#define HD_SUPERVISE_DWARF_TYPES_H

#include "base/str.h"
#include "base/strmap.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct hd_dwarf_types {       /* read when first needed */
    struct hd_strmap by_name; /* "node@12@list.h" -> place in items, + 1 */
    Dwarf_Die *items;
    size_t n, room;
    bool read;
};

/* What a type says of itself. */
struct hd_dwarf_key {
    uint64_t dimensions[4];
    uint32_t n_dimensions;
    const char *name; /* `name_length` long */
    size_t name_length;
    uint64_t line, bytes; /* bytes of an element, if it is an array */
    const char *file;
};

/* False when it is no type. */
bool hd_dwarf_key_read(struct hd_dwarf_key *key, const char *text);

/* The type of the elements; false when the debug information has none of that name, line and
 * size. */
bool hd_dwarf_type_find(struct hd_dwarf_types *types, Dwarf *dwarf,
                        const struct hd_dwarf_key *key, Dwarf_Die *type);

void hd_dwarf_types_release(struct hd_dwarf_types *types);

#endif
