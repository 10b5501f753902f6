#include "supervise/dwarf_member.h"

#include "base/shown.h"

#include "base/err.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 16

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != NULL;
}

/* The address of a variable, if it has a fixed one. */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute location, indexed;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr(die, DW_AT_location, &location) ||
        dwarf_getlocation(&location, &ops, &n) != 0 || n != 1)
        return false;
    if (ops[0].atom == DW_OP_addr) {
        *address = ops[0].number;
        return true;
    }
    Dwarf_Addr found;
    if (ops[0].atom != DW_OP_addrx || dwarf_getlocation_attr(&location, &ops[0], &indexed) != 0 ||
        dwarf_formaddr(&indexed, &found) != 0)
        return false;
    *address = found;
    return true;
}

static void add(struct hd_dwarf_members *e, Dwarf_Die *die)
{
    struct hd_variable variable;
    if (!address_of(die, &variable.address) || !type_of(die, &variable.type))
        return;
    if (e->n == e->room) {
        e->room = e->room ? 2 * e->room : 64;
        e->items = hd_realloc(e->items, e->room * sizeof *e->items);
    }
    e->items[e->n++] = variable;
}

/* The variables among the children of a unit, a namespace, a function or a block. */
static void read_below(struct hd_dwarf_members *e, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable)
            add(e, &die);
        else if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
                 tag == DW_TAG_lexical_block)
            read_below(e, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_address(const void *a, const void *b)
{
    const struct hd_variable *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void read_all(struct hd_dwarf_members *e, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die cu;
    e->read = true;
    while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &cu, NULL) == 0)
        read_below(e, &cu, 0);
    if (e->n)
        qsort(e->items, e->n, sizeof *e->items, by_address);
}

/* Strip typedefs and qualifiers off the type.  False if one of them belongs to the library,
 * whose members are not shown. */
static bool peel(Dwarf_Die *type)
{
    static const char *const closed[] = { "pthread_", "sem_t", "mtx_t", "cnd_t", "once_flag" };
    for (int i = 0; i < DEEPEST; i++) {
        int tag = dwarf_tag(type);
        const char *name = dwarf_diename(type);
        for (size_t k = 0; tag == DW_TAG_typedef && name && k < sizeof closed / sizeof *closed;
             k++)
            if (hd_str_starts(name, closed[k]))
                return false;
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
            tag != DW_TAG_atomic_type)
            return true;
        Dwarf_Die inner;
        if (!type_of(type, &inner))
            return false;
        *type = inner;
    }
    return false;
}

/* Are more bytes meant than so many? */
static bool is_range(uint64_t bytes, uint64_t size)
{
    return bytes != UINT64_MAX && bytes > size;
}

/* Appends "[1][2]" for the byte of an array, or "[1][2..4]" for several elements; *offset
 * becomes the offset in the element.  False if it is not known. */
static bool element_at(Dwarf_Die *array, uint64_t *offset, uint64_t bytes, Dwarf_Die *element,
                       struct hd_str *out)
{
    Dwarf_Word size, counts[DEEPEST];
    Dwarf_Die range;
    Dwarf_Attribute attribute;
    int n = 0;
    if (!type_of(array, element) || dwarf_aggregate_size(element, &size) != 0 || size == 0 ||
        dwarf_child(array, &range) != 0)
        return false;
    do {
        if (n == DEEPEST)
            return false;
        counts[n] = 0; /* `int x[];` has no number */
        dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), &counts[n]);
        if (counts[n] == 0 && n > 0)
            return false;
        n++;
    } while (dwarf_siblingof(&range, &range) == 0);
    for (int i = 0; i < n; i++) {
        uint64_t part = size;
        for (int k = i + 1; k < n; k++)
            part *= counts[k];
        if (part == 0) /* a damaged file: the product is too large */
            return false;
        hd_str_appendf(out, "[%llu", (unsigned long long)(*offset / part));
        uint64_t rest = *offset % part, last = (*offset + bytes - 1) / part;
        bool several = is_range(bytes, part) && last > *offset / part;
        hd_str_appendf(out, several ? "..%llu]" : "]", (unsigned long long)last);
        *offset = several ? 0 : rest;
        if (several)
            break;
    }
    return true;
}

/* `int x[];`, the end of a struct. */
static bool is_flexible(Dwarf_Die *type)
{
    Dwarf_Die range;
    Dwarf_Attribute attribute;
    Dwarf_Word count = 0;
    if (dwarf_tag(type) != DW_TAG_array_type || dwarf_child(type, &range) != 0)
        return false;
    dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), &count);
    return count == 0 && dwarf_siblingof(&range, &range) != 0;
}

bool hd_dwarf_type_is_open(Dwarf_Die type)
{
    Dwarf_Die die, last;
    bool open = false;
    if (!peel(&type) || dwarf_tag(&type) != DW_TAG_structure_type ||
        dwarf_child(&type, &die) != 0)
        return false;
    do {
        if (dwarf_tag(&die) == DW_TAG_member)
            open = type_of(&die, &last) && is_flexible(&last);
    } while (dwarf_siblingof(&die, &die) == 0);
    return open;
}

/* The storage of libstdc++ for a T: bytes in the type, a T in truth. */
static bool stored_type(Dwarf_Die *type, Dwarf_Die *inner)
{
    static const char *const names[] = { "__aligned_buffer<", "__aligned_membuf<" };
    const char *name = dwarf_diename(type);
    Dwarf_Die die;
    bool storage = false;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        storage |= hd_str_starts(name, names[i]);
    if (!storage || dwarf_child(type, &die) != 0)
        return false;
    do {
        if (dwarf_tag(&die) == DW_TAG_template_type_parameter)
            return type_of(&die, inner);
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* A base class without data has a size, but lies over what comes next. */
static bool is_empty(Dwarf_Die *type, int depth)
{
    Dwarf_Die die, base;
    if (depth == DEEPEST || dwarf_child(type, &die) != 0)
        return depth < DEEPEST;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_member && !dwarf_hasattr(&die, DW_AT_external))
            return false;
        if (tag == DW_TAG_inheritance && !(type_of(&die, &base) && is_empty(&base, depth + 1)))
            return false;
    } while (dwarf_siblingof(&die, &die) == 0);
    return true;
}

/* Appends ".lo, hi" for the bit-fields that lie in the bytes: they are accessed as one.  False:
 * there are none. */
static bool bit_fields_at(Dwarf_Die *type, uint64_t offset, uint64_t bytes, struct hd_str *out)
{
    Dwarf_Die die;
    bool any = false;
    if (dwarf_tag(type) == DW_TAG_union_type || dwarf_child(type, &die) != 0)
        return false;
    if (bytes == 0 || bytes > 8)
        bytes = 1; /* it is not known */
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word begin, bits;
        if (dwarf_tag(&die) != DW_TAG_member || !dwarf_diename(&die) ||
            dwarf_formudata(dwarf_attr(&die, DW_AT_bit_size, &attribute), &bits) != 0 ||
            dwarf_formudata(dwarf_attr(&die, DW_AT_data_bit_offset, &attribute), &begin) != 0 ||
            begin >= (offset + bytes) * 8 || begin + bits <= offset * 8)
            continue;
        hd_str_append(out, any ? ", " : ".");
        hd_shown(out, dwarf_diename(&die));
        any = true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return any;
}

/* The member or base of a struct, class or union that contains the byte; *inner and *offset
 * become those of the member.  A base has no name. */
static const char *member_at(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *inner)
{
    Dwarf_Die die;
    if (stored_type(type, inner))
        return "";
    if (dwarf_child(type, &die) != 0)
        return NULL;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word begin = 0, size;
        int tag = dwarf_tag(&die);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            dwarf_hasattr(&die, DW_AT_external) || !type_of(&die, inner))
            continue;
        if (tag == DW_TAG_inheritance && is_empty(inner, 0))
            continue;
        if (is_flexible(inner))
            size = UINT64_MAX;
        else if (dwarf_aggregate_size(inner, &size) != 0)
            continue;
        dwarf_formudata(dwarf_attr(&die, DW_AT_data_member_location, &attribute), &begin);
        if (*offset < begin || *offset - begin >= size)
            continue;
        *offset -= begin;
        const char *name = tag == DW_TAG_member ? dwarf_diename(&die) : NULL;
        return name ? name : "";
    } while (dwarf_siblingof(&die, &die) == 0);
    return NULL;
}

/* Is all of it meant? */
static bool is_whole(Dwarf_Die *type, uint64_t bytes)
{
    Dwarf_Word size;
    return bytes && dwarf_aggregate_size(type, &size) == 0 && size <= bytes;
}

/* Is all of it one member that the program's source names? */
static bool is_one_member(Dwarf_Die *type)
{
    Dwarf_Word all, size;
    Dwarf_Die inner;
    uint64_t offset = 0;
    const char *name = dwarf_tag(type) == DW_TAG_union_type ? NULL
                                                            : member_at(type, &offset, &inner);
    return name && *name && *name != '_' && dwarf_aggregate_size(type, &all) == 0 &&
           dwarf_aggregate_size(&inner, &size) == 0 && size == all;
}

/* Appends "..d" if more bytes are meant than the member has, and other members hold them. */
static bool append_last(Dwarf_Die *type, uint64_t begin, uint64_t bytes, Dwarf_Die *member,
                        struct hd_str *out)
{
    Dwarf_Word size;
    Dwarf_Die inner;
    uint64_t offset = begin + bytes - 1;
    if (dwarf_tag(type) == DW_TAG_union_type || dwarf_aggregate_size(member, &size) != 0 ||
        !is_range(bytes, size))
        return false;
    const char *last = member_at(type, &offset, &inner);
    if (!last || !*last || inner.addr == member->addr)
        return false;
    hd_str_append(out, "..");
    hd_shown(out, last);
    return true;
}

void hd_dwarf_type_path(Dwarf_Die type, uint64_t offset, uint64_t bytes, struct hd_str *out)
{
    hd_dwarf_type_at(&type, offset, bytes, out);
}

void hd_dwarf_type_at(Dwarf_Die *found, uint64_t offset, uint64_t bytes, struct hd_str *out)
{
    Dwarf_Die type = *found;
    for (int depth = 0; depth < DEEPEST; depth++) {
        if (!peel(&type))
            return; /* its inside is nobody's business */
        *found = type;
        Dwarf_Die inner;
        int tag = dwarf_tag(&type);
        const char *name = NULL;
        if (tag == DW_TAG_array_type) {
            if (offset == 0 && bytes != UINT64_MAX && is_whole(&type, bytes))
                break;
            if (!element_at(&type, &offset, bytes, &inner, out))
                break;
        } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
                   tag == DW_TAG_union_type) {
            /* which member of a small union is meant cannot be seen: its first one may be */
            bool one = tag == DW_TAG_union_type && bytes <= 8;
            if (offset == 0 && !one && is_whole(&type, bytes) &&
                (bytes == UINT64_MAX || !is_one_member(&type)))
                break;
            if (bit_fields_at(&type, offset, bytes, out))
                return;
            uint64_t begin = offset;
            name = member_at(&type, &offset, &inner);
            if (!name)
                break;
            hd_str_append(out, *name ? "." : "");
            if (hd_str_starts(name, "_vptr"))
                name = "_vptr"; /* and the name of the class */
            hd_shown(out, name);
            if (*name && offset == 0 && append_last(&type, begin, bytes, &inner, out))
                break;
        } else {
            break;
        }
        type = inner;
    }
    if (offset)
        hd_str_appendf(out, "+%llu", (unsigned long long)offset);
}

bool hd_dwarf_variable_type(struct hd_dwarf_members *e, Dwarf *dwarf, uint64_t variable,
                            Dwarf_Die *type)
{
    if (!dwarf)
        return false;
    if (!e->read)
        read_all(e, dwarf);
    struct hd_variable key = { .address = variable };
    const struct hd_variable *found = e->n ? bsearch(&key, e->items, e->n, sizeof key, by_address)
                                           : NULL;
    if (found)
        *type = found->type;
    return found != NULL;
}

bool hd_dwarf_member_path(struct hd_dwarf_members *e, Dwarf *dwarf, uint64_t variable,
                          uint64_t offset, uint64_t bytes, struct hd_str *out)
{
    Dwarf_Die type;
    bool known = hd_dwarf_variable_type(e, dwarf, variable, &type);
    if (known)
        hd_dwarf_type_path(type, offset, bytes, out);
    return known;
}

void hd_dwarf_members_release(struct hd_dwarf_members *elements)
{
    free(elements->items);
    *elements = (struct hd_dwarf_members){ .items = NULL };
}
