#include "supervise/dwarf_value.h"

#include "base/shown.h"

#include <dwarf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 16
#define LONG_DOUBLE 10 /* bytes of one that are accessed */
#define KNOWN 8        /* bytes of a value that a log has */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != NULL;
}

static uint64_t low_bits(uint64_t value, uint64_t bytes)
{
    return bytes < KNOWN ? value & ((1ull << bytes * 8) - 1) : value;
}

/* The shortest text that reads as the same number. */
static void append_float(struct hd_str *out, double number, bool single)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        double back = strtod(text, NULL);
        if (isnan(number) || back == number || (single && (float)back == (float)number))
            break;
    }
    hd_str_append(out, text);
    if (isfinite(number) && !strpbrk(text, ".e"))
        hd_str_append(out, ".0"); /* so that it is no integer */
}

static bool append_floating(struct hd_str *out, uint64_t value, uint64_t bytes)
{
    double number;
    float narrow;
    uint32_t low = (uint32_t)value;
    memcpy(&number, &value, sizeof number);
    memcpy(&narrow, &low, sizeof narrow);
    if (bytes != sizeof narrow && bytes != sizeof number && bytes != LONG_DOUBLE)
        return false;
    append_float(out, bytes == sizeof narrow ? (double)narrow : number, bytes == sizeof narrow);
    return true;
}

/* A letter as such; what cannot be printed is a number. */
static void append_char(struct hd_str *out, uint64_t value)
{
    char c = (char)value;
    if (c == '\n' || c == '\t')
        hd_str_appendf(out, "'\\%c'", c == '\n' ? 'n' : 't');
    else if (c >= ' ' && c <= '~')
        hd_str_appendf(out, c == '\'' || c == '\\' ? "'\\%c'" : "'%c'", c);
    else
        hd_str_appendf(out, "%d", (int)(signed char)c);
}

static void append_integer(struct hd_str *out, uint64_t value, uint64_t bytes, bool is_signed)
{
    uint64_t bits = bytes * 8, low = low_bits(value, bytes);
    if (is_signed) {
        int64_t number = bits < 64 ? (int64_t)(low << (64 - bits)) >> (64 - bits) : (int64_t)low;
        hd_str_appendf(out, "%lld", (long long)number);
        return;
    }
    uint64_t below = (bits < 64 ? 1ull << bits : 0) - low; /* how far it is from the end */
    hd_str_appendf(out, low < 1000000000 || below <= 1000000 ? "%llu" : "0x%llx",
                   (unsigned long long)low);
}

bool hd_value_plain(const char *name, size_t length, uint64_t value, uint64_t bytes,
                    struct hd_str *out)
{
    static const char *const floating[] = { "float", "double", "long double" };
    for (size_t i = 0; i < sizeof floating / sizeof *floating; i++)
        if (strlen(floating[i]) == length && memcmp(name, floating[i], length) == 0)
            return append_floating(out, value, bytes);
    return false;
}

void hd_value_text(uint64_t value, uint64_t bytes, struct hd_str *out)
{
    char text[KNOWN + 1] = { 0 };
    memcpy(text, &value, bytes < KNOWN ? bytes : KNOWN);
    bool more = bytes > KNOWN && strlen(text) == KNOWN;
    hd_str_append_char(out, '"');
    hd_shown(out, text);
    hd_str_append(out, more ? "\"…" : "\"");
}

static bool is_char(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    return dwarf_tag(type) == DW_TAG_base_type && name && strcmp(name, "char") == 0;
}

static bool points_to_char(Dwarf_Die type)
{
    Dwarf_Die inner;
    for (int i = 0; i < DEEPEST && type_of(&type, &inner); i++) {
        int tag = dwarf_tag(&inner);
        if (tag != DW_TAG_const_type && tag != DW_TAG_typedef && tag != DW_TAG_volatile_type)
            return is_char(&inner);
        type = inner;
    }
    return false;
}

static enum hd_value_kind append_base(Dwarf_Die *type, uint64_t value, uint64_t bytes,
                                      struct hd_str *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;
    if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding) != 0)
        return HD_VALUE_UNKNOWN;
    if (encoding == DW_ATE_float)
        return bytes <= KNOWN && append_floating(out, value, bytes) ? HD_VALUE_TEXT
                                                                    : HD_VALUE_UNKNOWN;
    if (bytes > KNOWN)
        return HD_VALUE_UNKNOWN;
    uint64_t low = low_bits(value, bytes);
    if (encoding == DW_ATE_boolean && low <= 1)
        hd_str_append(out, low ? "true" : "false");
    else if (is_char(type))
        append_char(out, low);
    else
        append_integer(out, value, bytes,
                       encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
    return HD_VALUE_TEXT;
}

static enum hd_value_kind append_enum(Dwarf_Die *type, uint64_t value, uint64_t bytes,
                                      struct hd_str *out)
{
    Dwarf_Die die;
    if (dwarf_child(type, &die) != 0)
        return HD_VALUE_UNKNOWN;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword number;
        if (dwarf_tag(&die) != DW_TAG_enumerator || !dwarf_diename(&die) ||
            dwarf_formsdata(dwarf_attr(&die, DW_AT_const_value, &attribute), &number) != 0 ||
            low_bits((uint64_t)number, bytes) != low_bits(value, bytes))
            continue;
        hd_shown(out, dwarf_diename(&die));
        return HD_VALUE_TEXT;
    } while (dwarf_siblingof(&die, &die) == 0);
    return HD_VALUE_UNKNOWN;
}

static enum hd_value_kind append_type(Dwarf_Die type, uint64_t value, uint64_t bytes,
                                      struct hd_str *out, int depth);

/* A member that has a value in the known bytes; *kind: what came of it. */
static bool append_member(Dwarf_Die *member, uint64_t value, bool named, struct hd_str *out,
                          int depth, enum hd_value_kind *kind)
{
    Dwarf_Attribute attribute;
    Dwarf_Word begin = 0, size;
    Dwarf_Die inner;
    const char *name = dwarf_diename(member);
    if (!type_of(member, &inner) || dwarf_hasattr(member, DW_AT_bit_size) ||
        dwarf_aggregate_size(&inner, &size) != 0)
        return false;
    dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &begin);
    if (size == 0 || begin >= KNOWN || size > KNOWN - begin)
        return false;
    if (named && name) {
        hd_shown(out, name);
        hd_str_append(out, " = ");
    }
    *kind = append_type(inner, value >> begin * 8, size, out, depth + 1);
    bool pointer = *kind == HD_VALUE_POINTER || *kind == HD_VALUE_CHARS;
    if (named && pointer)
        hd_str_appendf(out, "0x%llx", (unsigned long long)(value >> begin * 8));
    return *kind == HD_VALUE_TEXT || pointer;
}

static bool is_part(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    Dwarf_Word size;
    Dwarf_Die inner;
    return (tag == DW_TAG_member || tag == DW_TAG_inheritance) &&
           !dwarf_hasattr(die, DW_AT_external) && type_of(die, &inner) &&
           dwarf_aggregate_size(&inner, &size) == 0 &&
           !(tag == DW_TAG_inheritance && size <= 1); /* it has no data */
}

/* "{x = 1, y = 2}"; a struct of one member is what that one is. */
static enum hd_value_kind append_struct(Dwarf_Die *type, uint64_t value, struct hd_str *out,
                                        int depth)
{
    Dwarf_Die die;
    uint32_t n = 0, done = 0;
    size_t before = out->length;
    enum hd_value_kind kind = HD_VALUE_UNKNOWN;
    if (dwarf_child(type, &die) != 0)
        return kind;
    do
        n += is_part(&die);
    while (dwarf_siblingof(&die, &die) == 0);
    dwarf_child(type, &die);
    hd_str_append(out, n > 1 ? "{" : "");
    do {
        if (!is_part(&die))
            continue;
        hd_str_append(out, done++ ? ", " : "");
        if (!append_member(&die, value, n > 1, out, depth, &kind)) {
            hd_str_cut(out, before);
            return HD_VALUE_UNKNOWN;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
    hd_str_append(out, n > 1 ? "}" : "");
    return n > 1 ? HD_VALUE_TEXT : kind;
}

static enum hd_value_kind append_type(Dwarf_Die type, uint64_t value, uint64_t bytes,
                                      struct hd_str *out, int depth)
{
    Dwarf_Die inner;
    for (int i = 0; i < DEEPEST && depth < DEEPEST; i++) {
        switch (dwarf_tag(&type)) {
        case DW_TAG_base_type:
            if (is_char(&type) && bytes > 1) { /* several elements of an array */
                hd_value_text(value, bytes, out);
                return HD_VALUE_TEXT;
            }
            return append_base(&type, value, bytes, out);
        case DW_TAG_enumeration_type:
            return bytes <= KNOWN ? append_enum(&type, value, bytes, out) : HD_VALUE_UNKNOWN;
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
            return bytes != KNOWN         ? HD_VALUE_UNKNOWN
                   : points_to_char(type) ? HD_VALUE_CHARS
                                          : HD_VALUE_POINTER;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
            return bytes <= KNOWN ? append_struct(&type, value, out, depth) : HD_VALUE_UNKNOWN;
        case DW_TAG_array_type:
            if (!type_of(&type, &inner) || !is_char(&inner))
                return HD_VALUE_UNKNOWN;
            hd_value_text(value, bytes, out);
            return HD_VALUE_TEXT;
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_atomic_type:
            if (!type_of(&type, &inner))
                return HD_VALUE_UNKNOWN;
            type = inner;
            break;
        default:
            return HD_VALUE_UNKNOWN;
        }
    }
    return HD_VALUE_UNKNOWN;
}

enum hd_value_kind hd_dwarf_value(Dwarf_Die type, uint64_t value, uint64_t bytes,
                                  struct hd_str *out)
{
    size_t before = out->length;
    enum hd_value_kind kind = append_type(type, value, bytes, out, 0);
    if (kind != HD_VALUE_TEXT)
        hd_str_cut(out, before);
    return kind;
}
