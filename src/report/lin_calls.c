#include "report/lin_calls.h"

#include "base/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in include/heddle/lin_run.h. */
#define MOST_PARTS 6
#define MOST_CALLS 8
#define HAS_VALUE 128
#define VALUE_SHIFT 8

struct scan {
    struct hd_lin_calls *c;
    const struct hd_run *run;
    const struct hd_program *program;
    uint32_t room;
    uint32_t n_created;                      /* threads that make calls */
    uint32_t part[HD_MAX_THREADS];           /* of such a thread */
    uint32_t open[HD_MAX_THREADS];           /* the call that it is in, + 1 */
    uint32_t n_begun[MOST_PARTS];            /* calls of the part */
    char *words[MOST_PARTS][MOST_CALLS + 1]; /* the last is NULL */
};

bool hd_lin_calls_around(const struct hd_place *place)
{
    static const char *const files[] = { "heddle/lin.h", "heddle/lin_run.h", "heddle/lin_rows.h",
                                         "heddle/lin_judge.h" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (hd_str_ends(place->file, files[i]))
            return true;
    /* what the macros write stands in the program's file */
    return strstr(place->function, "heddle_lin_number_") ||
           strstr(place->function, "heddle_lin_run_") ||
           strstr(place->function, "heddle_lin_early_");
}

/* Is the step one of the sequential runs, whose results are the expected ones? */
static bool is_expected(const struct scan *s, const struct hd_step *step)
{
    uint32_t sites[HD_MAX_FRAMES], n = hd_run_stack(s->run, step->stack, sites);
    for (uint32_t i = 0; i < n; i++)
        if (strstr(hd_program_site(s->program, sites[i]).function, "heddle_lin_run_row"))
            return true;
    return false;
}

/* ---- the words ---- */

static void read_words(struct scan *s)
{
    const char *at = s->run->output, *end = at ? at + s->run->output_bytes : at;
    uint32_t n[MOST_PARTS] = { 0 };
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        char *line = hd_str_format("%.*s", (int)((stop ? stop : end) - at), at);
        unsigned part;
        int used = 0;
        if (sscanf(line, "@ call %u %n", &part, &used) == 1 && used && part < MOST_PARTS &&
            n[part] < MOST_CALLS)
            s->words[part][n[part]++] = hd_shown_dup(line + used);
        free(line);
        at = stop ? stop + 1 : end;
    }
}

/* ---- the steps ---- */

static void open_call(struct scan *s, uint32_t thread, uint32_t i)
{
    struct hd_lin_calls *c = s->c;
    uint32_t part = s->part[thread], number = s->n_begun[part]++;
    const char *words = number < MOST_CALLS ? s->words[part][number] : NULL;
    if (c->n_calls == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        c->calls = hd_realloc(c->calls, s->room * sizeof *c->calls);
    }
    c->calls[c->n_calls++] = (struct hd_lin_call){
        .thread = thread,
        .part = part,
        .last = part > s->n_created && part > 0,
        .begin = i,
        .end = ~0u,
        .words = words ? hd_strdup(words) : hd_str_format("call %u", number + 1),
    };
    s->open[thread] = c->n_calls;
}

/* A load in front of a call: the last one is where it begins. */
static void before_call(struct scan *s, uint32_t i)
{
    uint32_t thread = s->run->log[i].thread;
    if (!s->open[thread])
        open_call(s, thread, i);
    struct hd_lin_call *call = &s->c->calls[s->open[thread] - 1];
    s->c->role[call->begin] = HD_LIN_HIDDEN;
    call->begin = i;
    s->c->role[i] = HD_LIN_BEGINS;
    s->c->of[i] = s->open[thread];
}

static void behind_call(struct scan *s, uint32_t i)
{
    const struct hd_step *step = &s->run->log[i];
    if (!s->open[step->thread])
        return;
    struct hd_lin_call *call = &s->c->calls[s->open[step->thread] - 1];
    s->c->role[i] = HD_LIN_RETURNS;
    s->c->of[i] = s->open[step->thread];
    call->end = i;
    call->has_value = step->flags & HD_STEP_HAS_WRITTEN && step->value_written & HAS_VALUE;
    call->value = (int64_t)step->value_written >> VALUE_SHIFT;
    s->open[step->thread] = 0;
}

/* A thread that makes calls; main makes those of the last part from now on. */
static void created(struct scan *s, const struct hd_step *step)
{
    uint32_t thread = step->object.thread;
    if (thread < HD_MAX_THREADS && s->n_created + 2 < MOST_PARTS) {
        s->part[thread] = ++s->n_created;
        s->part[step->thread] = s->n_created + 1;
    }
}

static void look_at(struct scan *s, uint32_t i)
{
    const struct hd_step *step = &s->run->log[i];
    struct hd_place place = hd_program_site(s->program, step->site);
    bool around = hd_lin_calls_around(&place);
    bool ends = (step->op == HD_OP_START || step->op == HD_OP_EXIT) && !place.line;
    if (around && step->op == HD_OP_CREATE)
        created(s, step);
    bool makes_calls = step->thread < HD_MAX_THREADS && s->part[step->thread];
    if (around || (ends && makes_calls) || is_expected(s, step))
        s->c->role[i] = HD_LIN_HIDDEN;
    if (around && strstr(place.function, "heddle_lin_load"))
        before_call(s, i);
    else if (around && strstr(place.function, "heddle_lin_store"))
        behind_call(s, i);
}

static bool is_lin(const struct hd_run *run, const struct hd_program *program)
{
    for (uint32_t i = 0; i < run->n_log; i++)
        if (strstr(hd_program_site(program, run->log[i].site).file, "heddle/lin_run.h"))
            return true;
    return false;
}

void hd_lin_calls_init(struct hd_lin_calls *c, const struct hd_run *run,
                       const struct hd_program *program)
{
    struct scan s = { .c = c, .run = run, .program = program };
    *c = (struct hd_lin_calls){ .any = is_lin(run, program) };
    if (!c->any)
        return;
    c->role = hd_alloc(run->n_log * sizeof *c->role);
    c->of = hd_alloc(run->n_log * sizeof *c->of);
    read_words(&s);
    for (uint32_t i = 0; i < run->n_log; i++)
        look_at(&s, i);
    for (uint32_t p = 0; p < MOST_PARTS; p++)
        for (uint32_t i = 0; i < MOST_CALLS; i++)
            free(s.words[p][i]);
}

void hd_lin_calls_release(struct hd_lin_calls *c)
{
    for (uint32_t i = 0; i < c->n_calls; i++)
        free(c->calls[i].words);
    free(c->calls);
    free(c->role);
    free(c->of);
    *c = (struct hd_lin_calls){ 0 };
}

enum hd_lin_role hd_lin_calls_role(const struct hd_lin_calls *c, uint32_t step)
{
    return c->any ? (enum hd_lin_role)c->role[step] : HD_LIN_STEP;
}

const struct hd_lin_call *hd_lin_calls_of(const struct hd_lin_calls *c, uint32_t step)
{
    return c->any && c->of[step] ? &c->calls[c->of[step] - 1] : NULL;
}

uint32_t hd_lin_calls_seen(const struct hd_lin_calls *c, uint32_t step)
{
    const struct hd_lin_call *call = hd_lin_calls_of(c, step);
    return call && call->end != step ? call->begin : step;
}

bool hd_lin_calls_preempts(const struct hd_lin_calls *c, const struct hd_run *run, uint32_t step)
{
    const struct hd_step *log = run->log;
    bool preempts = log[step].flags & HD_STEP_PREEMPTION;
    for (; !preempts && step > 0 && log[step - 1].thread == log[step].thread &&
           hd_lin_calls_role(c, step - 1) == HD_LIN_HIDDEN;
         step--)
        preempts = log[step - 1].flags & HD_STEP_PREEMPTION;
    return preempts;
}

bool hd_lin_calls_words(struct hd_str *out, const struct hd_lin_calls *c, uint32_t step)
{
    enum hd_lin_role role = hd_lin_calls_role(c, step);
    if (role != HD_LIN_BEGINS && role != HD_LIN_RETURNS)
        return false;
    const struct hd_lin_call *call = hd_lin_calls_of(c, step);
    hd_str_appendf(out, "%s %s", call->words, role == HD_LIN_BEGINS ? "begins" : "returns");
    if (role == HD_LIN_RETURNS && call->has_value)
        hd_str_appendf(out, " %lld", (long long)call->value);
    return true;
}

bool hd_lin_calls_joins(const struct hd_standing *s, const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, s->site);
    return s->op == HD_OP_JOIN && hd_lin_calls_around(&place);
}

static bool is_around(const struct hd_run *run, const struct hd_program *program, uint32_t step)
{
    struct hd_place place = hd_program_site(program, run->log[step].site);
    return hd_lin_calls_around(&place);
}

struct hd_run hd_lin_calls_shown(const struct hd_run *run, const struct hd_program *program)
{
    struct hd_run shown = *run;
    shown.stale = hd_alloc((run->n_stale + 1) * sizeof *shown.stale);
    shown.n_stale = shown.n_remedies = 0;
    for (uint32_t i = 0; i < run->n_stale; i++)
        if (!is_around(run, program, run->stale[i].step))
            shown.stale[shown.n_stale++] = run->stale[i];
    for (uint32_t i = 0; i < run->n_remedies; i++) {
        const struct hd_remedy *r = &run->remedies[i];
        bool around = false;
        for (uint32_t k = 0; k < r->n; k++)
            around = around || (!r->items[k].after && is_around(run, program, r->items[k].step));
        if (!around)
            shown.remedies[shown.n_remedies++] = *r;
    }
    return shown;
}

void hd_lin_output_init(struct hd_lin_output *o, const struct hd_lin_calls *c,
                        const struct hd_run *run)
{
    bool own = false; /* the line is for heddle */
    hd_str_init(&o->text);
    o->cut = hd_alloc((run->output_bytes + 1) * sizeof *o->cut);
    for (uint32_t i = 0; i < run->output_bytes; i++) {
        const char *at = run->output + i;
        if (i == 0 || at[-1] == '\n')
            own = c->any && *at == '@' && i + 1 < run->output_bytes && at[1] == ' ';
        if (!own)
            hd_str_append_char(&o->text, *at);
        o->cut[i + 1] = (uint32_t)o->text.length;
    }
}

void hd_lin_output_release(struct hd_lin_output *o)
{
    hd_str_release(&o->text);
    free(o->cut);
}
