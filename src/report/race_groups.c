#include "report/race_groups.h"

#include "base/demangle.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4, MOST_NAMES = 3 };

static bool is_race(const struct hd_run *run)
{
    return run->found && run->finding.kind == HD_KIND_DATA_RACE;
}

/* The variable or block that the race is about; where is HD_WHERE_NONE if it has no name. */
static struct hd_name object_of(const struct hd_run *run, const struct hd_program *program)
{
    struct hd_name name = run->finding.standings[0].object;
    uint64_t offset;
    bool unique;
    if (name.where == HD_WHERE_HEAP)
        name.offset = 0;
    else if (name.where == HD_WHERE_GLOBAL &&
             hd_program_object(program, name.offset, &offset, &unique))
        name.offset -= offset;
    else
        name = (struct hd_name){ .where = HD_WHERE_NONE };
    return name;
}

static bool same_object(const struct hd_run *a, const struct hd_run *b,
                        const struct hd_program *program)
{
    struct hd_name x = object_of(a, program), y = object_of(b, program);
    return x.where != HD_WHERE_NONE && x.where == y.where && x.thread == y.thread &&
           x.index == y.index && x.offset == y.offset;
}

static const char *function_of(const struct hd_run *run, int half,
                               const struct hd_program *program)
{
    return hd_program_site(program, run->finding.standings[half].site).function;
}

static bool same_functions(const struct hd_run *a, const struct hd_run *b,
                           const struct hd_program *program)
{
    const char *a0 = function_of(a, 0, program), *a1 = function_of(a, 1, program);
    const char *b0 = function_of(b, 0, program), *b1 = function_of(b, 1, program);
    return *a0 && *a1 &&
           ((strcmp(a0, b0) == 0 && strcmp(a1, b1) == 0) ||
            (strcmp(a0, b1) == 0 && strcmp(a1, b0) == 0));
}

/* The races of group `from` are of group `to`. */
static void join(uint32_t *groups, uint32_t n, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < n; i++)
        groups[i] = groups[i] == from ? to : groups[i];
}

uint32_t hd_race_groups(const struct hd_result *result, const struct hd_program *program,
                        uint32_t *groups)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < result->n_runs; i++) {
        const struct hd_run *run = &result->runs[i];
        groups[i] = is_race(run) ? i + 1 : 0;
        for (uint32_t k = 0; k < i && groups[i]; k++)
            if (groups[k] && groups[k] != groups[i] &&
                (same_object(run, &result->runs[k], program) ||
                 same_functions(run, &result->runs[k], program))) {
                uint32_t low = groups[k] < groups[i] ? groups[k] : groups[i];
                join(groups, i + 1, groups[k] ^ groups[i] ^ low, low);
            }
    }
    for (uint32_t i = 0; i < result->n_runs; i++)
        if (groups[i] == i + 1) /* the first of its group; no group after it has its number */
            join(groups, result->n_runs, i + 1, ++n);
    return n;
}

/* Appends the name unless it is in the list, as "a, b, c, …". */
static void add_name(struct hd_str *list, uint32_t *n, struct hd_strs *known, const char *name)
{
    for (size_t i = 0; i < known->n; i++)
        if (strcmp(known->items[i], name) == 0)
            return;
    hd_strs_add(known, name);
    if (*name && ++*n <= MOST_NAMES)
        hd_str_appendf(list, "%s%s", *n > 1 ? ", " : "", name);
    else if (*n == MOST_NAMES + 1)
        hd_str_append(list, ", …");
}

/* "ring, hits in put, get" */
static void append_head(struct hd_str *out, const struct hd_result *result,
                        const struct hd_program *program, const uint32_t *groups, uint32_t group)
{
    struct hd_str objects, functions;
    struct hd_strs known_objects, known_functions;
    uint32_t n_objects = 0, n_functions = 0;
    hd_str_init(&objects);
    hd_str_init(&functions);
    hd_strs_init(&known_objects);
    hd_strs_init(&known_functions);
    for (uint32_t i = 0; i < result->n_runs; i++) {
        const struct hd_run *run = &result->runs[i];
        if (groups[i] != group)
            continue;
        struct hd_name object = object_of(run, program);
        uint64_t offset;
        bool unique;
        const char *name = object.where == HD_WHERE_GLOBAL
                               ? hd_program_object(program, object.offset, &offset, &unique)
                               : NULL;
        struct hd_str readable;
        hd_str_init(&readable);
        if (name)
            hd_demangle(&readable, name, strlen(name));
        add_name(&objects, &n_objects, &known_objects, readable.text);
        hd_str_release(&readable);
        for (int half = 0; half < 2; half++)
            add_name(&functions, &n_functions, &known_functions, function_of(run, half, program));
    }
    hd_str_append(out, objects.text);
    if (functions.length)
        hd_str_appendf(out, "%sin %s", objects.length ? " " : "", functions.text);
    hd_str_release(&objects);
    hd_str_release(&functions);
    hd_strs_release(&known_objects);
    hd_strs_release(&known_functions);
}

static void print_group(const struct hd_terminal *text, const struct hd_result *result,
                        const struct hd_program *program, const uint32_t *groups, uint32_t group)
{
    struct hd_str head;
    uint32_t n = 0;
    hd_str_init(&head);
    append_head(&head, result, program, groups, group);
    hd_terminal_line(text, "  %s", head.length ? head.text : "elsewhere");
    for (uint32_t i = 0; i < result->n_runs; i++)
        if (groups[i] == group && (n++ < MOST_LINES || text->whole))
            hd_terminal_line(text, "    %u: %s", i + 1, result->runs[i].finding.message);
    if (n > MOST_LINES && !text->whole)
        fprintf(text->out, "    and %u more\n", n - MOST_LINES);
    hd_str_release(&head);
}

void hd_race_groups_text(const struct hd_terminal *text, const struct hd_result *result,
                         const struct hd_program *program)
{
    uint32_t *groups = hd_alloc((result->n_runs + 1) * sizeof *groups), n_races = 0;
    uint32_t n = hd_race_groups(result, program, groups);
    bool warning = false;
    for (uint32_t i = 0; i < result->n_runs; i++) {
        n_races += groups[i] != 0;
        warning = warning || (groups[i] && result->runs[i].warning);
    }
    if (n_races > 1) {
        fprintf(text->out, "%s%s%u data races in %u place%s%s%s\n", hd_terminal_bad(text),
                warning ? "warning: " : "", n_races, n, n == 1 ? "" : "s",
                hd_terminal_plain(text), text->whole ? ":" : " (-v shows a run of each):");
        for (uint32_t group = 1; group <= n; group++)
            print_group(text, result, program, groups, group);
        fputc('\n', text->out);
    }
    free(groups);
}
