#include "supervise/suspects.h"

#include <stdlib.h>

enum { MOST_PLACES = 8 };

/* Places in the order of their sites, which is nearly that of the source. */
static int by_site(const void *a, const void *b)
{
    const struct hd_note *x = *(const struct hd_note *const *)a;
    const struct hd_note *y = *(const struct hd_note *const *)b;
    return (x->site > y->site) - (x->site < y->site);
}

static void append_place(struct hd_str *out, const struct hd_note *note,
                         const struct hd_program *program)
{
    struct hd_place at = hd_program_site(program, note->site);
    hd_str_appendf(out, "%s%s", out->length ? ", " : "", at.variable);
    if (at.line)
        hd_str_appendf(out, "%s%s:%u", *at.variable ? " at " : "", at.file, at.line);
    else
        hd_str_append(out, " through a pointer");
    if (note->n > 1)
        hd_str_appendf(out, " (%llu times)", (unsigned long long)note->n);
}

void hd_note_places(struct hd_str *out, const struct hd_notes *notes, enum hd_note_kind kind,
                    const struct hd_program *program)
{
    const struct hd_note *found[HD_MAX_NOTES];
    size_t n = 0;
    for (uint32_t i = 0; i < HD_MAX_NOTES; i++)
        if (notes->at[i].kind == kind)
            found[n++] = &notes->at[i];
    qsort(found, n, sizeof *found, by_site);
    for (size_t i = 0; i < n && i < MOST_PLACES; i++)
        append_place(out, found[i], program);
    if (n > MOST_PLACES)
        hd_str_appendf(out, " and %zu more places", n - MOST_PLACES);
    if (notes->lost[kind])
        hd_str_appendf(out, " and more places than could be kept (%llu times)",
                       (unsigned long long)notes->lost[kind]);
}

int hd_suspect(int status, const struct hd_notes *notes, const struct hd_program *program,
               struct hd_err *err)
{
    int ends_with = status == HD_UNREPEATED ? HD_EXIT_INPUT : status;
    bool suspicious = status == HD_UNREPEATED || status == HD_EXIT_INTERNAL;
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
