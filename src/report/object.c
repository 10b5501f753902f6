#include "report/object.h"

#include "base/demangle.h"
#include "report/name.h"

#include <stdlib.h>
#include <string.h>

/* Does the path begin with a member of libstdc++'s own? */
static bool is_library(const char *at)
{
    return hd_str_starts(at, "._M_") || hd_str_starts(at, "->_M_");
}

/* Is it all of a std::atomic or std::mutex? */
static bool is_value(const char *at)
{
    static const char *const names[] = { "_M_i", "_M_b", "_M_p", "_M_fp", "_M_base", "_M_mutex" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(strchr(at, '_'), names[i]) == 0)
            return true;
    return false;
}

void hd_object_fold(struct hd_str *name, size_t from)
{
    char *path = hd_strdup(name->text + from);
    bool arrow = false; /* it belongs to a member that was left out */
    hd_str_cut(name, from);
    for (const char *at = path; *at;) {
        size_t mark = hd_str_starts(at, "->") ? 2 : 1, n = mark + strcspn(at + mark, ".[-+");
        bool inside = at[n] == '.' || at[n] == '[';
        if (is_library(at) && (inside || is_value(at))) {
            arrow |= mark == 2;
        } else {
            bool dot = arrow && *at == '.';
            hd_str_append(name, dot ? "->" : "");
            hd_str_append_bytes(name, at + dot, n - dot);
            arrow = false;
        }
        at += n;
    }
    free(path);
}

static void append_variable(struct hd_str *out, const struct hd_name *name, uint64_t bytes,
                            const struct hd_threads *threads, const struct hd_program *program)
{
    struct hd_str text;
    hd_str_init(&text);
    hd_name_object(&text, name, program, threads);
    size_t symbol = strcspn(text.text, "+");
    hd_demangle(out, text.text, symbol);
    size_t begin = out->length;
    bool known = !hd_str_starts(text.text, "global:") && program &&
                 hd_program_element(program, name->offset, bytes, out);
    if (!known)
        hd_str_append(out, text.text + symbol);
    hd_object_fold(out, begin);
    hd_str_release(&text);
}

static bool append_local(struct hd_str *out, const struct hd_name *name, uint64_t bytes,
                         const struct hd_threads *threads, const struct hd_program *program)
{
    const char *type, *local = name->made ? hd_program_local(program, name->made, &type) : "";
    if (!*local)
        return false;
    hd_name_thread(out, threads, name->thread);
    hd_str_appendf(out, "'s local %s", local);
    size_t begin = out->length;
    hd_program_inside(program, type, name->extent, bytes, out);
    hd_object_fold(out, begin);
    return true;
}

/* Blocks of main are so frequent that it is not named. */
static void append_owner(struct hd_str *out, const struct hd_name *name,
                         const struct hd_threads *threads)
{
    if (name->thread == 0)
        return;
    hd_name_thread(out, threads, name->thread);
    hd_str_append(out, "'s ");
}

static bool append_typed(struct hd_str *out, const struct hd_name *name, uint64_t bytes,
                         const struct hd_threads *threads, const struct hd_program *program)
{
    const char *type = hd_program_type(program, name->made);
    char *number = hd_str_format("#%llu", (unsigned long long)name->index);
    size_t before = out->length;
    append_owner(out, name, threads);
    bool known = *type &&
                 hd_program_block(program, type, number, name->extent, name->offset, bytes, out);
    free(number);
    if (known) {
        const char *behind = strchr(out->text + before, '#');
        hd_object_fold(out, (size_t)(behind - out->text));
    } else {
        hd_str_cut(out, before);
    }
    return known;
}

static void append_block(struct hd_str *out, const struct hd_name *name,
                         const struct hd_threads *threads, const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, name->made);
    if (name->offset)
        hd_str_appendf(out, "byte %llu of ", (unsigned long long)name->offset);
    append_owner(out, name, threads);
    hd_str_appendf(out, "block #%llu", (unsigned long long)name->index);
    if (place.line)
        hd_str_appendf(out, " allocated at %s:%u", place.file, place.line);
}

static bool append_thread_local(struct hd_str *out, const struct hd_name *name,
                                const struct hd_threads *threads,
                                const struct hd_program *program)
{
    uint64_t offset = 0;
    const char *variable = hd_program_thread_local(program, name->offset, &offset);
    if (!variable)
        return false;
    hd_name_thread(out, threads, name->thread);
    hd_str_append(out, "'s ");
    hd_demangle(out, variable, strlen(variable));
    if (offset)
        hd_str_appendf(out, "+%llu", (unsigned long long)offset);
    return true;
}

/* The name of an object that is no variable, otherwise NULL. */
static const char *own_name(const struct hd_name *name)
{
    switch (name->where) {
    case HD_WHERE_CLOCK:
        return "the clock";
    case HD_WHERE_RANDOM:
        return "the random numbers";
    case HD_WHERE_OUTSIDE:
        return "code that heddle does not see";
    case HD_WHERE_STDIN:
        return "stdin";
    default:
        return NULL;
    }
}

void hd_object_name(struct hd_str *out, const struct hd_name *name, uint64_t bytes,
                    const struct hd_threads *threads, const struct hd_program *program)
{
    if (own_name(name)) {
        hd_str_append(out, own_name(name));
    } else if (name->where == HD_WHERE_GLOBAL) {
        append_variable(out, name, bytes, threads, program);
    } else if (name->where == HD_WHERE_HEAP && program) {
        if (!append_typed(out, name, bytes, threads, program))
            append_block(out, name, threads, program);
    } else if (name->where == HD_WHERE_STACK && program) {
        if (!append_local(out, name, bytes, threads, program)) {
            hd_str_append(out, "an unnamed local of ");
            hd_name_thread(out, threads, name->thread);
        }
    } else if (name->where != HD_WHERE_TLS || !program ||
               !append_thread_local(out, name, threads, program)) {
        hd_name_object(out, name, program, threads);
    }
}

/* Does the expression leave open which object is meant? `*p`, `data[]` */
static bool is_vague(const char *expression)
{
    size_t n = strlen(expression);
    return expression[0] == '*' || (n > 2 && strcmp(expression + n - 2, "[]") == 0);
}

/* The name of the object, if it names a variable, or a member of a block. */
static bool append_better(struct hd_str *out, const struct hd_name *name, uint64_t bytes,
                          const struct hd_threads *threads, const struct hd_program *program)
{
    size_t before = out->length;
    if (name->where == HD_WHERE_STACK)
        return append_local(out, name, bytes, threads, program);
    if (name->where == HD_WHERE_TLS)
        return append_thread_local(out, name, threads, program);
    if (name->where != HD_WHERE_HEAP || !append_typed(out, name, bytes, threads, program))
        return false;
    if (strpbrk(strchr(out->text + before, '#'), ".>"))
        return true;
    hd_str_cut(out, before);
    return false;
}

void hd_object_at(struct hd_str *out, const struct hd_name *name, uint32_t site, uint64_t bytes,
                  const struct hd_threads *threads, const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, site);
    uint64_t offset;
    bool unique, global = name->where == HD_WHERE_GLOBAL;
    bool nameless = global && !hd_program_object(program, name->offset, &offset, &unique);
    /* A call has one name, that of one argument: sigwait(&set, &s) writes s, and what
     * sscanf("7", "%d", &n) reads is not n. */
    bool other = !place.access && !global &&
                 hd_program_variable(program, place.variable, &offset);
    bool literal = nameless && !place.access && hd_program_is_constant(program, name->offset);
    bool usable = *place.variable && !other && !literal && (nameless || !global) &&
                  name->where != HD_WHERE_THREAD && !own_name(name);
    if (usable && is_vague(place.variable) && append_better(out, name, bytes, threads, program))
        return;
    /* The name of a variable names the element, too; a block or a stack slot says little. */
    if (usable)
        hd_str_append(out, place.variable);
    else if (nameless)
        hd_str_append(out, "a constant");
    else
        hd_object_name(out, name, bytes, threads, program);
}
