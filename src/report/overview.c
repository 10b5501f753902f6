#include "report/overview.h"

#include "base/fs.h"
#include "report/step.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PLACES 4 /* of one kind */

static const char *noun(enum hd_kind kind)
{
    switch (kind) {
    case HD_KIND_ASSERTION:
        return "failed assertion";
    case HD_KIND_DATA_RACE:
        return "data race";
    case HD_KIND_INVARIANT:
        return "broken invariant";
    case HD_KIND_MEMORY:
        return "memory error";
    case HD_KIND_TARGET:
        return "reached target";
    case HD_KIND_ABORT:
        return "abnormal end";
    case HD_KIND_NO_PROGRESS:
        return "execution without progress";
    case HD_KIND_OBJECTION:
        return "objection of the checker";
    default:
        return hd_kind_text(kind);
    }
}

/* " at a.c:14/25": the second line is that of the other access of a race. */
static char *place_of(const struct hd_run *run, struct hd_program *program)
{
    uint32_t thread;
    struct hd_place at = hd_step_place(run, program, &thread);
    struct hd_str text;
    hd_str_init(&text);
    if (at.line)
        hd_str_appendf(&text, "%s:%u", hd_fs_base(at.file), at.line);
    if (at.line && run->finding.kind == HD_KIND_DATA_RACE && run->finding.n_standings > 1) {
        struct hd_place other = hd_step_standing(&run->finding.standings[1], run, program, NULL);
        if (other.line && strcmp(other.file, at.file) != 0)
            hd_str_appendf(&text, "/%s:%u", hd_fs_base(other.file), other.line);
        else if (other.line && other.line != at.line)
            hd_str_appendf(&text, "/%u", other.line);
    }
    return hd_str_detach(&text);
}

static void append_places(struct hd_str *out, const struct hd_result *result,
                          struct hd_program *program, enum hd_kind kind)
{
    struct hd_strs known;
    hd_strs_init(&known);
    for (uint32_t i = 0; i < result->n_runs; i++) {
        if (result->runs[i].finding.kind != kind)
            continue;
        char *place = place_of(&result->runs[i], program);
        bool again = !*place;
        for (size_t k = 0; k < known.n; k++)
            again = again || strcmp(known.items[k], place) == 0;
        if (!again)
            hd_strs_add(&known, place);
        free(place);
    }
    for (size_t i = 0; i < known.n && i < MOST_PLACES; i++)
        hd_str_appendf(out, "%s%s", i ? ", " : " at ", known.items[i]);
    hd_str_append(out, known.n > MOST_PLACES ? ", …" : "");
    hd_strs_release(&known);
}

void hd_overview(struct hd_str *out, const struct hd_result *result, struct hd_program *program)
{
    bool any = false;
    for (uint32_t k = 0; k < result->n_runs; k++) {
        enum hd_kind kind = (enum hd_kind)result->runs[k].finding.kind;
        uint32_t n = 0, first = k;
        for (uint32_t i = 0; i < result->n_runs; i++)
            if (result->runs[i].finding.kind == kind) {
                first = i < first ? i : first;
                n++;
            }
        if (first != k)
            continue;
        const char *what = noun(kind);
        hd_str_appendf(out, "%s%u %s%s", any ? "; " : "", n, what, n == 1 ? "" : "s");
        append_places(out, result, program, kind);
        any = true;
    }
}
