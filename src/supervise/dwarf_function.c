#include "supervise/dwarf_function.h"

#include "base/demangle.h"
#include "base/shown.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(struct hd_strmap *names, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *symbol = dwarf_formstring(
        dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!symbol || !hd_str_starts(symbol, "_Z"))
        return dwarf_diename(die);
    uint64_t *known = hd_strmap_put(names, symbol);
    if (*known == 0) {
        struct hd_str readable;
        hd_str_init(&readable);
        hd_demangle_function(&readable, symbol, strlen(symbol));
        *known = (uint64_t)(uintptr_t)hd_shown_dup(readable.text);
        hd_str_release(&readable);
    }
    return (const char *)(uintptr_t)*known;
}

const char *hd_dwarf_function(struct hd_strmap *names, Dwarf_Die *cu, uint64_t pc)
{
    Dwarf_Die *scopes = NULL;
    const char *name = NULL;
    int n = dwarf_getscopes(cu, pc, &scopes);
    for (int i = 0; i < n && !name; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = name_of(names, &scopes[i]);
    }
    free(scopes);
    return name ? name : "";
}
