#include "report/value.h"

#include "base/demangle.h"
#include "core/layout.h"
#include "report/name.h"
#include "report/object.h"

#include <string.h>

enum { MOST_LOOKED_AT = 4096 }; /* steps before and behind, for what a pointer points to */

/* A variable or function of the program.  False: it is none. */
static bool append_global(struct hd_str *out, uint64_t value, const struct hd_run *run,
                          const struct hd_program *program)
{
    bool address = run->load_base && value > run->load_base;
    struct hd_str text;
    hd_str_init(&text);
    bool known = address && hd_program_address(program, value - run->load_base, &text);
    if (known) {
        size_t before = strspn(text.text, "&"), n = strcspn(text.text + before, "+.[");
        hd_str_append_bytes(out, text.text, before);
        hd_demangle(out, text.text + before, n);
        size_t members = out->length;
        hd_str_append(out, text.text + before + n);
        hd_object_fold(out, members);
    }
    hd_str_release(&text);
    return known;
}

void hd_step_value(struct hd_str *out, uint64_t value, uint32_t size, const struct hd_run *run,
                   const struct hd_program *program)
{
    if (size != 8 || !append_global(out, value, run, program))
        hd_name_value(out, value, size);
}

/* If the object of the step is a block or a local that holds the byte at `address`: its name,
 * with the offset of that byte. */
static bool holds(const struct hd_step *s, uint64_t address, struct hd_name *name)
{
    enum hd_space space = (enum hd_space)hd_op_table[s->op].space;
    if ((space != HD_SPACE_MEM && space != HD_SPACE_SYNC) || !s->action.object)
        return false;
    *name = s->object;
    if (name->where == HD_WHERE_HEAP && name->extent) {
        uint64_t begin = s->action.object - name->offset;
        name->offset = address - begin;
        return address >= begin && address - begin < name->extent;
    }
    if (name->where == HD_WHERE_STACK && name->made) {
        uint64_t begin = s->action.object - name->extent; /* the local's size is not known */
        name->offset += s->action.object - address;
        name->extent = 0;
        return address == begin;
    }
    return false;
}

/* The steps of the run that access a block say where it lies: the last one before `at`, or the
 * first one behind it. */
static bool find_target(const struct hd_run *run, uint32_t at, uint64_t address,
                        struct hd_name *name)
{
    for (uint32_t k = 0; k < MOST_LOOKED_AT; k++)
        if (at >= k && holds(&run->log[at - k], address, name))
            return true;
    for (uint32_t k = 1; k < MOST_LOOKED_AT && at + k < run->n_log; k++)
        if (holds(&run->log[at + k], address, name))
            return true;
    return false;
}

/* "node#1", "&node#1->next", "&main's local q" */
static void append_pointer(struct hd_str *out, const struct hd_name *name,
                           const struct hd_run *run, const struct hd_program *program)
{
    size_t before = out->length;
    bool whole = name->where == HD_WHERE_HEAP && name->offset == 0;
    hd_str_append(out, whole ? "" : "&");
    hd_object_name(out, name, UINT64_MAX, &run->threads, program);
    char *inside = strstr(out->text + before, "->_M_");
    if (name->where == HD_WHERE_HEAP && inside) { /* the object of a std::make_shared */
        struct hd_str all;
        hd_str_init(&all);
        hd_str_append_bytes(&all, out->text + before + !whole,
                            (size_t)(inside - out->text) - before - !whole);
        hd_str_cut(out, before);
        hd_str_append(out, all.text);
        hd_str_release(&all);
        return;
    }
    const char *block = strstr(out->text + before, "block #");
    if (name->where == HD_WHERE_HEAP && block) { /* where it was allocated is too long here */
        hd_str_cut(out, before);
        hd_str_appendf(out, "block#%llu", (unsigned long long)name->index);
        if (name->offset)
            hd_str_appendf(out, "+%llu", (unsigned long long)name->offset);
    }
}

void hd_value_block(struct hd_str *out, const struct hd_name *object, const struct hd_run *run,
                    const struct hd_program *program)
{
    struct hd_name block = *object;
    block.offset = 0;
    append_pointer(out, &block, run, program);
}

/* `at`: the step of the log that has the value. */
static bool append_target(struct hd_str *out, uint64_t at, uint64_t value,
                          const struct hd_run *run, const struct hd_program *program)
{
    struct hd_name name;
    if (at >= run->n_log || value < 4096 || !find_target(run, (uint32_t)at, value, &name))
        return false;
    append_pointer(out, &name, run, program);
    return true;
}

/* A value whose type says nothing more than that. */
static void append_plain(struct hd_str *out, enum hd_value_kind kind, uint64_t at, uint64_t value,
                         uint32_t size, const struct hd_run *run,
                         const struct hd_program *program)
{
    if (kind == HD_VALUE_TEXT || (kind == HD_VALUE_UNKNOWN && size > 8))
        return;
    bool chars = kind == HD_VALUE_CHARS && run->load_base && value > run->load_base;
    if ((kind == HD_VALUE_POINTER || kind == HD_VALUE_CHARS) && value == 0)
        hd_str_append(out, "NULL");
    else if (chars && hd_program_text(program, value - run->load_base, out))
        return;
    else if (size != 8 || !append_target(out, at, value, run, program))
        hd_step_value(out, value, size, run, program);
}

static void append(struct hd_str *out, const struct hd_step *s, uint64_t value,
                   const struct hd_run *run, const struct hd_program *program)
{
    bool inside = s >= run->log && s < run->log + run->n_log;
    append_plain(out, hd_program_value(program, s->site, &s->object, value, s->size, out),
                 inside ? (uint64_t)(s - run->log) : UINT64_MAX, value, s->size, run, program);
}

void hd_value_shown(struct hd_str *out, const struct hd_shown *shown, const struct hd_run *run,
                    const struct hd_program *program)
{
    const char *type = hd_program_type(program, shown->site);
    append_plain(out, hd_program_typed(program, type, shown->value, shown->size, out),
                 run->n_log - 1ull, shown->value, shown->size, run, program);
}

void hd_value_read(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                   const struct hd_program *program)
{
    append(out, step, step->value_read, run, program);
}

void hd_value_written(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                      const struct hd_program *program)
{
    append(out, step, step->value_written, run, program);
}
