/* The functions of the debug information. */
#ifndef HD_SUPERVISE_DWARF_FUNCTION_H
#define HD_SUPERVISE_DWARF_FUNCTION_H

#include "base/strmap.h"

#include <elfutils/libdw.h>
#include <stdint.h>

/* The name of the innermost function around pc, inlined ones included; "" if there is none.
 * One of C++ is qualified; its name is kept in the map, where hd_program keeps names. */
const char *hd_dwarf_function(struct hd_strmap *names, Dwarf_Die *cu, uint64_t pc);

#endif
