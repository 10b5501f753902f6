/* The element of an array, or the member of a struct, at an address: from the debug
 * information. */
#ifndef HD_SUPERVISE_DWARF_MEMBER_H
#define HD_SUPERVISE_DWARF_MEMBER_H

#include "base/str.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* The variables of the debug information, by address; read when first needed. */
struct hd_dwarf_members {
    struct hd_variable {
        uint64_t address;
        Dwarf_Die type;
    } *items;
    size_t n, room;
    bool read;
};

/* Append what follows the name of the variable at `variable` for the object at `offset`
 * bytes in it: "[2].lock", "" for the whole variable.  `bytes`: how much is meant; a struct
 * of no more bytes that begins there is, not its first member, and of several members or
 * elements the first and the last are named: ".x..z", "[2..5]".  0: not known; UINT64_MAX:
 * all there is.  False when the name is not known. */
bool hd_dwarf_member_path(struct hd_dwarf_members *elements, Dwarf *dwarf, uint64_t variable,
                          uint64_t offset, uint64_t bytes, struct hd_str *out);

/* The same for an object of that type. */
void hd_dwarf_type_path(Dwarf_Die type, uint64_t offset, uint64_t bytes, struct hd_str *out);

/* The same, and *type becomes the type of what was named (of several, that of what they are
 * in). */
void hd_dwarf_type_at(Dwarf_Die *type, uint64_t offset, uint64_t bytes, struct hd_str *out);

/* The type of the variable at that address; false: not known. */
bool hd_dwarf_variable_type(struct hd_dwarf_members *elements, Dwarf *dwarf, uint64_t variable,
                            Dwarf_Die *type);

/* Is it a struct that ends in an array of no length, so that its blocks may be longer? */
bool hd_dwarf_type_is_open(Dwarf_Die type);

void hd_dwarf_members_release(struct hd_dwarf_members *elements);

#endif
