#include "supervise/dwarf_types.h"

#include "base/err.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 16

bool hd_dwarf_key_read(struct hd_dwarf_key *key, const char *text)
{
    *key = (struct hd_dwarf_key){ .n_dimensions = 0 };
    while (*text == '[') {
        char *end;
        if (key->n_dimensions == sizeof key->dimensions / sizeof *key->dimensions)
            return false;
        key->dimensions[key->n_dimensions++] = strtoull(text + 1, &end, 10);
        if (*end != ']')
            return false;
        text = end + 1;
    }
    /* from the end: a name may hold anything */
    const char *at[3];
    const char *end = text + strlen(text);
    for (int i = 2; i >= 0; i--) {
        do
            end -= end > text;
        while (end > text && *end != '@');
        at[i] = end;
    }
    if (at[0] == text || *at[0] != '@')
        return false;
    key->name = text;
    key->name_length = (size_t)(at[0] - text);
    key->line = strtoull(at[0] + 1, NULL, 10);
    key->bytes = strtoull(at[1] + 1, NULL, 10);
    key->file = at[2] + 1;
    return key->bytes != 0;
}

static bool is_type(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_typedef || tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type;
}

static bool has_inner(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_namespace ||
           tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

/* The last name of the file.  Number 0 is the unit's own, which libdw does not know. */
static const char *file_of(Dwarf_Die *die)
{
    Dwarf_Die unit;
    const char *file = dwarf_decl_file(die);
    if (!file && dwarf_hasattr(die, DW_AT_decl_file) && dwarf_diecu(die, &unit, NULL, NULL))
        file = dwarf_diename(&unit);
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file ? file : "";
}

static void add(struct hd_dwarf_types *types, Dwarf_Die *die)
{
    int line = 0;
    const char *name = dwarf_diename(die);
    if (!name || dwarf_hasattr(die, DW_AT_declaration))
        return;
    dwarf_decl_line(die, &line);
    char *key = hd_str_format("%s@%d@%s", name, line, file_of(die));
    uint64_t *place = hd_strmap_put(&types->by_name, key);
    free(key);
    if (*place)
        return;
    if (types->n == types->room) {
        types->room = types->room ? 2 * types->room : 64;
        types->items = hd_realloc(types->items, types->room * sizeof *types->items);
    }
    types->items[types->n++] = *die;
    *place = types->n;
}

static void read_below(struct hd_dwarf_types *types, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (is_type(tag))
            add(types, &die);
        if (has_inner(tag))
            read_below(types, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* "node@12@list.h" of "app::node@12@96@list.h": colons of template arguments do not count. */
static char *own_name(const struct hd_dwarf_key *key)
{
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i < key->name_length; i++) {
        char c = key->name[i];
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (c == ':' && depth == 0)
            begin = i + 1;
    }
    return hd_str_format("%.*s@%llu@%s", (int)(key->name_length - begin), key->name + begin,
                         (unsigned long long)key->line, key->file);
}

bool hd_dwarf_type_find(struct hd_dwarf_types *types, Dwarf *dwarf,
                        const struct hd_dwarf_key *key, Dwarf_Die *type)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die cu;
    Dwarf_Word bytes;
    if (!dwarf)
        return false;
    while (!types->read && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &cu, NULL) == 0)
        read_below(types, &cu, 0);
    types->read = true;
    char *name = own_name(key);
    const uint64_t *place = hd_strmap_get(&types->by_name, name);
    free(name);
    if (!place)
        return false;
    *type = types->items[*place - 1];
    return dwarf_aggregate_size(type, &bytes) == 0 && bytes == key->bytes;
}

void hd_dwarf_types_release(struct hd_dwarf_types *types)
{
    hd_strmap_release(&types->by_name);
    free(types->items);
    *types = (struct hd_dwarf_types){ .n = 0 };
}
