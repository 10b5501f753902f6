#include "report/places.h"

#include "report/because.h"
#include "report/explain_order.h"
#include "report/name.h"
#include "report/race_log.h"
#include "report/step.h"
#include "report/text.h"

#include <stdlib.h>

#define MOST_STEPS 200 /* of a run: the last ones */

/* "a.c:9:5: note: ", and whether there is such a place. */
static bool place(struct hd_str *out, const struct hd_place *at, const char *level)
{
    if (!at->line || !*at->file)
        return false;
    hd_str_appendf(out, "%s:%u:", at->file, at->line);
    if (at->column)
        hd_str_appendf(out, "%u:", at->column);
    hd_str_appendf(out, " %s: ", level);
    return true;
}

static void step(struct hd_str *out, const struct hd_run *run, uint32_t i,
                 struct hd_program *program)
{
    const struct hd_step *s = &run->log[i];
    struct hd_place at = hd_step_at(s, run, program, NULL);
    if (!place(out, &at, "note"))
        return; /* the beginning or end of a thread */
    hd_str_appendf(out, "step %u: ", i + 1);
    hd_name_thread(out, &run->threads, s->thread);
    hd_str_append(out, ": ");
    hd_step_what(out, s, run, program);
    hd_str_append_char(out, '\n');
}

/* The steps whose order decides, at the later one. */
static void ordering(struct hd_str *out, const struct hd_run *run, const struct hd_ordering *o,
                     struct hd_program *program)
{
    struct hd_place at = hd_step_at(&o->late, run, program, NULL);
    if (!place(out, &at, "note"))
        return;
    hd_str_append(out, "the run would pass if ");
    hd_explain_order_step(out, &o->late, o->late_at, run, program);
    hd_str_append(out, " had come before ");
    hd_explain_order_step(out, &o->early, o->early_at, run, program);
    hd_str_append_char(out, '\n');
}

/* Who waits for what, at the place where it does. */
static void standings(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    if (f->kind != HD_KIND_DEADLOCK && f->kind != HD_KIND_LIVELOCK)
        return;
    for (uint32_t i = 0; i < f->n_standings; i++) {
        struct hd_place at = hd_step_standing(&f->standings[i], run, program, NULL);
        if (f->standings[i].op == HD_OP_NONE || !place(out, &at, "note"))
            continue;
        hd_text_standing(out, &f->standings[i], run, program);
        hd_str_append_char(out, '\n');
    }
}

static void because(void *to, const struct hd_place *at, const char *words)
{
    if (place(to, at, "note"))
        hd_str_appendf(to, "%s\n", words);
}

static void violation(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    uint32_t thread, at[2];
    struct hd_place where = hd_step_place(run, program, &thread);
    bool race = run->finding.kind == HD_KIND_DATA_RACE;
    struct hd_run whole = race ? hd_race_log(run, at) : *run;
    if (!place(out, &where, run->warning ? "warning" : "error"))
        hd_str_append(out, "heddle: ");
    hd_str_appendf(out, "%s: %s (", hd_kind_words(run->finding.kind), run->finding.message);
    hd_name_thread(out, &run->threads, thread);
    hd_str_append(out, ")\n");
    standings(out, run, program);
    hd_because(run, program, because, out);
    for (uint32_t i = 0; !run->joint && i < run->n_orderings; i++)
        ordering(out, run, &run->orderings[i], program);
    uint32_t first = whole.n_log > MOST_STEPS ? whole.n_log - MOST_STEPS : 0;
    if (first)
        hd_str_appendf(out, "heddle: (the first %u steps are left out)\n", first);
    for (uint32_t i = first; i < whole.n_log; i++)
        step(out, &whole, i, program);
    if (race)
        free(whole.log);
}

void hd_places_result(struct hd_str *out, const struct hd_report *report)
{
    for (uint32_t i = 0; i < report->result->n_runs; i++)
        violation(out, &report->result->runs[i], report->file);
    hd_str_appendf(out, "heddle: %s: %s\n", report->program,
                   hd_verdict_text(report->summary->verdict));
    for (size_t i = 0; i < report->summary->downgrades.n; i++)
        hd_str_appendf(out, "heddle: not exhaustive: %s\n", report->summary->downgrades.items[i]);
    for (size_t i = 0; i < report->summary->assumptions.n; i++)
        hd_str_appendf(out, "heddle: assuming: %s\n", report->summary->assumptions.items[i]);
}
