#include "supervise/suspects.h"

#include "base/demangle.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 8, MOST_SUSPECTS = 2 };

/* Orders places by site, which is nearly the order of the source. */
static int by_site(const void *a, const void *b)
{
    const struct hd_note *x = *(const struct hd_note *const *)a;
    const struct hd_note *y = *(const struct hd_note *const *)b;
    return (x->site > y->site) - (x->site < y->site);
}

/* A line of the source, which may have several sites. */
struct line {
    struct hd_place at;
    uint64_t n;
};

static bool same_line(const struct hd_place *a, const struct hd_place *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->variable, b->variable) == 0;
}

static void append_line(struct hd_str *out, const struct line *line)
{
    const struct hd_place *at = &line->at;
    hd_str_append(out, out->length ? ", " : "");
    size_t symbol = strcspn(at->variable, " "); /* what follows is the library that has it */
    hd_demangle_function(out, at->variable, symbol);
    hd_str_append(out, at->variable + symbol);
    if (at->line)
        hd_str_appendf(out, "%s%s:%u", *at->variable ? " at " : "", at->file, at->line);
    else
        hd_str_append(out, " through a pointer");
    if (line->n > 1)
        hd_str_appendf(out, " (%llu times)", (unsigned long long)line->n);
}

void hd_note_place(struct hd_str *out, const struct hd_program *program, uint32_t site)
{
    append_line(out, &(struct line){ .at = hd_program_site(program, site), .n = 1 });
}

/* Appends at most so many places. */
static void append_places(struct hd_str *out, const struct hd_notes *notes,
                          enum hd_note_kind kind, const struct hd_program *program, size_t most)
{
    const struct hd_note *found[HD_MAX_NOTES];
    struct line *lines = hd_alloc(HD_MAX_NOTES * sizeof *lines);
    size_t n_found = 0, n = 0;
    for (uint32_t i = 0; i < HD_MAX_NOTES; i++)
        if (notes->at[i].kind == kind)
            found[n_found++] = &notes->at[i];
    qsort(found, n_found, sizeof *found, by_site);
    for (size_t i = 0; i < n_found; i++) {
        struct hd_place at = hd_program_site(program, found[i]->site);
        size_t k = 0;
        while (k < n && !same_line(&lines[k].at, &at))
            k++;
        if (k == n)
            lines[n++] = (struct line){ .at = at };
        lines[k].n += found[i]->n;
    }
    for (size_t i = 0; i < n && i < most; i++)
        append_line(out, &lines[i]);
    if (n > most)
        hd_str_appendf(out, " and %zu more place%s", n - most, n - most == 1 ? "" : "s");
    if (notes->lost[kind])
        hd_str_appendf(out, " and more places than could be kept (%llu times)",
                       (unsigned long long)notes->lost[kind]);
    free(lines);
}

void hd_note_places(struct hd_str *out, const struct hd_notes *notes, enum hd_note_kind kind,
                    const struct hd_program *program)
{
    append_places(out, notes, kind, program, MOST_PLACES);
}

/* Native code that the program has called. */
static void suspect_native(const struct hd_notes *notes, const struct hd_program *program,
                           struct hd_err *err)
{
    struct hd_str places;
    hd_str_init(&places);
    append_places(&places, notes, HD_NOTE_EXTERNAL, program, MOST_SUSPECTS);
    hd_err_set(err,
               "the program does not do the same when it is run again, and calls native code, "
               "whose memory and threads heddle does not control: %s; build that code with "
               "heddle cc",
               places.text);
    hd_str_release(&places);
}

int hd_suspect(int status, const struct hd_notes *notes, const struct hd_program *program,
               struct hd_err *err)
{
    int ends_with = status == HD_UNREPEATED ? HD_EXIT_INPUT : status;
    bool suspicious = status == HD_UNREPEATED || status == HD_EXIT_INTERNAL;
    if (status == HD_UNREPEATED && !hd_notes_any(notes, HD_NOTE_UNCONTROLLED) &&
        hd_notes_any(notes, HD_NOTE_EXTERNAL))
        suspect_native(notes, program, err);
    if (!suspicious || !hd_notes_any(notes, HD_NOTE_UNCONTROLLED))
        return ends_with;
    struct hd_err before = *err;
    struct hd_str places;
    hd_str_init(&places);
    hd_note_places(&places, notes, HD_NOTE_UNCONTROLLED, program);
    hd_err_set(
        err,
        "the program does not do the same when it is run again, for instructions that give "
        "another result in every run: %s; put heddle_choose() in their place (%s)",
        places.text, before.text);
    hd_str_release(&places);
    return HD_EXIT_INPUT;
}
