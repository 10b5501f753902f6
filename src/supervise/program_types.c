/* Objects that only a run knows, blocks and locals, by their types. */
#include "base/shorten.h"
#include "supervise/dwarf_member.h"
#include "supervise/dwarf_value.h"
#include "supervise/program.h"

#include <stdlib.h>
#include <string.h>

/* Appends the type's name, and "#2" and the like behind it.  A block of std::make_shared holds
 * a T and its counts: it is called T. */
static void append_type(struct hd_str *out, const struct hd_dwarf_key *key, const char *number)
{
    static const char shared[] = "std::_Sp_counted_ptr_inplace<";
    bool is_shared = hd_str_starts(key->name, shared);
    size_t before = is_shared ? sizeof shared - 1 : 0, n = is_shared ? 0 : key->name_length;
    for (int depth = 0; is_shared && (depth || key->name[before + n] != ','); n++) {
        char c = key->name[before + n];
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (!c || depth < 0)
            break;
    }
    char *name = hd_str_format("%.*s", (int)n, key->name + before);
    hd_shorten(out, name);
    hd_str_append(out, number);
    free(name);
}

bool hd_program_block(const struct hd_program *p, const char *type, const char *number,
                      uint64_t size, uint64_t offset, uint64_t bytes, struct hd_str *out)
{
    struct hd_dwarf_key key;
    Dwarf_Die die;
    if (!hd_dwarf_key_read(&key, type) || key.n_dimensions || key.bytes == 1 ||
        !hd_program_find_type(p, &key, &die))
        return false;
    bool many = !hd_dwarf_type_is_open(die) && size > key.bytes && size % key.bytes == 0;
    if (!many && offset >= key.bytes && !hd_dwarf_type_is_open(die))
        return false;
    append_type(out, &key, number);
    if (many && bytes < size)
        hd_str_appendf(out, "[%llu]", (unsigned long long)(offset / key.bytes));
    struct hd_str path;
    hd_str_init(&path);
    hd_dwarf_type_path(die, many ? offset % key.bytes : offset, bytes, &path);
    bool arrow = !many && path.text[0] == '.';
    hd_str_appendf(out, "%s%s", arrow ? "->" : "", path.text + arrow);
    hd_str_release(&path);
    return true;
}

void hd_program_inside(const struct hd_program *p, const char *type, uint64_t offset,
                       uint64_t bytes, struct hd_str *out)
{
    struct hd_dwarf_key key;
    Dwarf_Die die;
    bool known = hd_dwarf_key_read(&key, type) && hd_program_find_type(p, &key, &die);
    uint64_t all = known ? key.bytes : 0;
    for (uint32_t i = 0; known && i < key.n_dimensions; i++)
        known = !__builtin_mul_overflow(all, key.dimensions[i], &all);
    if (!known || offset >= all) {
        if (offset)
            hd_str_appendf(out, "+%llu", (unsigned long long)offset);
        return;
    }
    for (uint32_t i = 0; i < key.n_dimensions && bytes < all; i++) {
        all /= key.dimensions[i];
        hd_str_appendf(out, "[%llu]", (unsigned long long)(offset / all));
        offset %= all;
    }
    hd_dwarf_type_path(die, offset, bytes, out);
}

/* The type of the element or member that a step accesses, by its object.  False: not known. */
static bool type_of_object(const struct hd_program *p, const struct hd_name *name, uint64_t bytes,
                           Dwarf_Die *type)
{
    struct hd_dwarf_key key = { .bytes = 0 };
    struct hd_str ignored;
    const char *text = "";
    uint64_t offset = 0;
    bool known;
    if (name->where == HD_WHERE_GLOBAL) {
        known = hd_program_variable_type(p, name->offset, &offset, type);
    } else {
        if (name->where == HD_WHERE_HEAP)
            text = hd_program_type(p, name->made);
        else if (name->where == HD_WHERE_STACK && name->made)
            hd_program_local(p, name->made, &text);
        known = hd_dwarf_key_read(&key, text) && hd_program_find_type(p, &key, type);
        offset = name->where == HD_WHERE_HEAP ? name->offset : name->extent;
        offset = key.bytes ? offset % key.bytes : 0; /* blocks and locals may be arrays */
    }
    if (!known)
        return false;
    hd_str_init(&ignored);
    hd_dwarf_type_at(type, offset, bytes, &ignored);
    known = !strchr(ignored.text, '+');
    hd_str_release(&ignored);
    return known;
}

enum hd_value_kind hd_program_typed(const struct hd_program *p, const char *text, uint64_t value,
                                    uint64_t size, struct hd_str *out)
{
    struct hd_dwarf_key key;
    Dwarf_Die type;
    if (strcmp(text, HD_TYPE_POINTER) == 0)
        return size == 8 ? HD_VALUE_POINTER : HD_VALUE_UNKNOWN;
    if (!hd_dwarf_key_read(&key, text))
        return HD_VALUE_UNKNOWN;
    if (hd_value_plain(key.name, key.name_length, value, size, out))
        return HD_VALUE_TEXT;
    return hd_program_find_type(p, &key, &type) && key.n_dimensions == 0
               ? hd_dwarf_value(type, value, size, out)
               : HD_VALUE_UNKNOWN;
}

/* Is the pointer one to characters, as the type of its object says? */
static bool is_chars(const struct hd_program *p, const struct hd_name *name)
{
    struct hd_str ignored;
    Dwarf_Die type;
    hd_str_init(&ignored);
    bool chars = type_of_object(p, name, sizeof(char *), &type) &&
                 hd_dwarf_value(type, 0, sizeof(char *), &ignored) == HD_VALUE_CHARS;
    hd_str_release(&ignored);
    return chars;
}

enum hd_value_kind hd_program_value(const struct hd_program *p, uint32_t site,
                                    const struct hd_name *name, uint64_t value, uint64_t size,
                                    struct hd_str *out)
{
    const char *text = hd_program_site(p, site).access ? hd_program_type(p, site) : "";
    struct hd_dwarf_key key;
    Dwarf_Die type;
    bool known = hd_dwarf_key_read(&key, text) && key.n_dimensions == 0;
    enum hd_value_kind kind = hd_program_typed(p, text, value, size, out);
    if (kind == HD_VALUE_POINTER)
        return is_chars(p, name) ? HD_VALUE_CHARS : kind;
    if (kind != HD_VALUE_UNKNOWN || strcmp(text, HD_TYPE_POINTER) == 0 ||
        (known && hd_program_find_type(p, &key, &type)))
        return kind;
    return type_of_object(p, name, size, &type) ? hd_dwarf_value(type, value, size, out)
                                                : HD_VALUE_UNKNOWN;
}
