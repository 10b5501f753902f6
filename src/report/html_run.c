/* A run of the HTML report: its steps, the order between them, and what it printed. */
#include "base/shown.h"
#include "core/enabled.h"
#include "report/html_page.h"
#include "report/lin_calls.h"
#include "report/name.h"
#include "report/race_log.h"
#include "report/role.h"
#include "report/stale.h"
#include "report/step.h"
#include "supervise/explain_order.h"

#include <stdlib.h>
#include <string.h>

#define COMPARED 2000 /* steps that a step is compared with, back from itself */

/* flags, as script.js knows them */
enum { PREEMPTION = 1, SOLO = 2, MATTERS = 4, HIDDEN = 8, CALL = 16 };

/* The value as people write it, or null. */
static void value(struct hd_html *p, const struct hd_run *run, const struct hd_step *s, bool read)
{
    struct hd_str words;
    hd_str_init(&words);
    if (read && s->flags & HD_STEP_HAS_READ)
        hd_value_read(&words, s, run, p->report->file);
    if (!read && s->flags & HD_STEP_HAS_WRITTEN)
        hd_value_written(&words, s, run, p->report->file);
    if (words.length)
        hd_html_text(p, ",", words.text);
    else
        hd_str_append(p->out, ",null");
    hd_str_release(&words);
}

static int preemption(const struct hd_lin_calls *calls, const struct hd_run *run, uint32_t i)
{
    return hd_lin_calls_preempts(calls, run, i) ? PREEMPTION : 0;
}

/* A step of the code around calls: one at which a call begins or returns, or one that is not
 * shown. */
static void around(struct hd_html *p, const struct hd_lin_calls *calls, const struct hd_run *run,
                   uint32_t i)
{
    const struct hd_step *s = &run->log[i];
    struct hd_str words;
    hd_str_init(&words);
    bool shown = hd_lin_calls_words(&words, calls, i);
    hd_str_appendf(p->out, "%s[%u,\"%s\"", i ? ",\n" : "\n", s->thread, shown ? "call" : "");
    hd_html_text(p, ",", shown ? words.text : "");
    hd_str_appendf(p->out, ",\"\",null,null,-1,0,\"\",%d,\"\"]",
                   preemption(calls, run, i) | (shown ? CALL | MATTERS : HIDDEN));
    hd_str_release(&words);
}

static void step(struct hd_html *p, const struct hd_lin_calls *calls, const struct hd_run *run,
                 uint32_t i, bool matters)
{
    const struct hd_step *s = &run->log[i];
    struct hd_place place = hd_step_at(s, run, p->report->file, NULL);
    struct hd_str words;
    hd_str_init(&words);
    hd_str_appendf(p->out, "%s[%u,\"%s\"", i ? ",\n" : "\n", s->thread, hd_op_table[s->op].text);
    hd_step_what(&words, s, run, p->report->file);
    hd_html_text(p, ",", words.text);
    hd_str_clear(&words);
    if (s->object.where != HD_WHERE_THREAD)
        hd_step_about(&words, s, run, p->report->file);
    hd_html_text(p, ",", words.text);
    value(p, run, s, true);
    value(p, run, s, false);
    if (place.line)
        hd_str_appendf(p->out, ",%u,%u", hd_html_file(p, place.file), place.line);
    else
        hd_str_append(p->out, ",-1,0");
    hd_html_text(p, ",", place.function);
    hd_str_appendf(p->out, ",%d",
                   preemption(calls, run, i) | (s->flags & HD_STEP_SOLO ? SOLO : 0) |
                       (matters ? MATTERS : 0));
    hd_str_clear(&words);
    if (s->object.where != HD_WHERE_THREAD)
        hd_name_object(&words, &s->object, p->report->file, &run->threads);
    hd_html_text(p, ",", words.text);
    bool memory = hd_op_table[s->op].space == HD_SPACE_MEM;
    hd_str_appendf(p->out, ",%u]", memory ? s->size : 0);
    hd_str_release(&words);
}

static bool thread_edge(const struct hd_step *a, const struct hd_step *b)
{
    return (a->op == HD_OP_CREATE && b->op == HD_OP_START &&
            a->object.thread == b->object.thread) ||
           (a->op == HD_OP_EXIT && b->op == HD_OP_JOIN && a->object.thread == b->object.thread);
}

/* The steps that happen before a step: for every thread, those below a number. */
struct clocks {
    uint32_t n_threads;
    uint32_t *before; /* [step][thread] */
    bool *matters;    /* [step]: it conflicts with a step of another thread */
    uint32_t last[HD_MAX_THREADS];
};

static void merge(struct clocks *c, uint32_t to, uint32_t from)
{
    for (uint32_t t = 0; t < c->n_threads; t++) {
        uint32_t other = c->before[from * c->n_threads + t];
        uint32_t *mine = &c->before[to * c->n_threads + t];
        *mine = other > *mine ? other : *mine;
    }
}

/* A stale step does not follow the stores that it does not see. */
static bool unseen(const struct hd_stale *stale, const struct hd_step *from, uint32_t at)
{
    return stale && hd_op_atomic((enum hd_op)from->op) && stale->source != at + 1;
}

/* The edges into step i. */
static void edges_into(struct hd_html *p, const struct hd_run *run, uint32_t i, struct clocks *c,
                       bool *first)
{
    bool seen[HD_MAX_THREADS] = { false };
    const struct hd_step *to = &run->log[i];
    const struct hd_stale *stale = hd_run_stale(run, to);
    if (c->last[to->thread])
        merge(c, i, c->last[to->thread] - 1);
    for (uint32_t k = i, end = i > COMPARED ? i - COMPARED : 0; k-- > end;) {
        const struct hd_step *from = &run->log[k];
        if (from->thread == to->thread || seen[from->thread])
            continue;
        bool conflict = hd_explain_order_conflict(from, to) && !unseen(stale, from, k);
        if (!conflict && !thread_edge(from, to))
            continue;
        seen[from->thread] = true;
        c->matters[i] = c->matters[i] || conflict;
        c->matters[k] = c->matters[k] || conflict;
        if (c->before[i * c->n_threads + from->thread] > k)
            continue;
        merge(c, i, k);
        hd_str_appendf(p->out, "%s[%u,%u]", *first ? "" : ",", k, i);
        *first = false;
    }
    c->before[i * c->n_threads + to->thread] = i + 1;
    c->last[to->thread] = i + 1;
}

static void edges(struct hd_html *p, const struct hd_run *run, bool *matters)
{
    struct clocks c = { .n_threads = run->threads.n, .matters = matters };
    bool first = true;
    c.before = hd_alloc(((uint64_t)run->n_log * c.n_threads + 1) * sizeof *c.before);
    for (uint32_t i = 0; i < run->n_log; i++)
        edges_into(p, run, i, &c, &first);
    if (run->n_log > COMPARED) /* with what lies further back was not compared */
        memset(matters, true, run->n_log * sizeof *matters);
    free(c.before);
}

/* Calls of heddle/lin.h: [ thread, step, step or -1, words ]. */
static void list_calls(struct hd_html *p, const struct hd_lin_calls *calls)
{
    hd_str_append(p->out, "],\"calls\":[");
    for (uint32_t i = 0; i < calls->n_calls; i++) {
        const struct hd_lin_call *call = &calls->calls[i];
        hd_str_appendf(p->out, "%s[%u,%u,%d", i ? "," : "", call->thread, call->begin,
                       call->end == ~0u ? -1 : (int)call->end);
        hd_html_text(p, ",", call->words);
        hd_str_append_char(p->out, ']');
    }
}

/* What the program printed, cut where steps end: [ step, text ]. */
static void output(struct hd_html *p, const struct hd_run *run, const struct hd_lin_calls *calls)
{
    uint32_t from = 0;
    bool first = true;
    struct hd_lin_output own;
    hd_lin_output_init(&own, calls, run);
    hd_str_append(p->out, "],\"output\":[");
    for (uint32_t i = 0; i <= run->n_log && from < own.text.length; i++) {
        uint32_t end = own.cut[i < run->n_log ? run->log[i].output_end : run->output_bytes];
        if (end <= from)
            continue;
        struct hd_str words;
        hd_str_init(&words);
        hd_shown_lines(&words, own.text.text + from, end - from);
        hd_str_appendf(p->out, "%s[%u", first ? "" : ",", i < run->n_log ? i : run->n_log - 1);
        hd_html_text(p, ",", words.text);
        hd_str_append_char(p->out, ']');
        hd_str_release(&words);
        from = end;
        first = false;
    }
    hd_lin_output_release(&own);
}

static void stale(struct hd_html *p, const struct hd_run *run)
{
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(p->out, "],\"stale\":[");
    for (uint32_t i = 0; i < run->n_stale; i++) {
        const struct hd_stale *s = &run->stale[i];
        hd_str_appendf(p->out, "%s[%u,%d", i ? "," : "", s->step,
                       s->store ? -2 : (int)s->source - 1);
        hd_str_clear(&words);
        hd_stale_words(&words, s, run, p->report->file);
        hd_html_text(p, ",", words.text);
        hd_str_append_char(p->out, ']');
    }
    hd_str_release(&words);
}

/* The names of the threads, and by these what they are for, unless that is to make calls of
 * heddle/lin.h. */
static void threads(struct hd_html *p, const struct hd_run *run, bool lin)
{
    struct hd_str name;
    hd_str_init(&name);
    hd_str_append(p->out, "{\"threads\":[");
    for (uint32_t t = 0; t < run->threads.n; t++) {
        hd_str_clear(&name);
        hd_name_thread(&name, &run->threads, t);
        hd_html_text(p, t ? "," : "", name.text);
    }
    hd_str_append(p->out, "],\"roles\":{");
    for (uint32_t t = 0; !lin && t < run->threads.n; t++) {
        hd_str_clear(&name);
        hd_name_thread(&name, &run->threads, t);
        hd_html_text(p, t ? "," : "", name.text);
        hd_str_clear(&name);
        hd_role_thread(&name, t, run, p->report->file);
        hd_html_text(p, ":", name.text);
    }
    hd_str_append_char(p->out, '}');
    hd_str_release(&name);
}

void hd_html_run(struct hd_html *p, const struct hd_run *run, bool race)
{
    uint32_t at[2];
    struct hd_run longer = race ? hd_race_log(run, at) : *run;
    struct hd_run shown = hd_lin_calls_shown(run, p->report->file);
    struct hd_lin_calls calls;
    bool *matters = hd_alloc((longer.n_log + 1) * sizeof *matters);
    hd_lin_calls_init(&calls, &longer, p->report->file);
    threads(p, run, calls.any);
    hd_str_append(p->out, ",\"edges\":[");
    edges(p, run, matters); /* the accesses of the race have no order */
    if (race)
        matters[at[0]] = matters[at[1]] = true;
    stale(p, &shown);
    list_calls(p, &calls);
    output(p, run, &calls);
    hd_str_append(p->out, "],\"steps\":[");
    for (uint32_t i = 0; i < longer.n_log; i++)
        if (hd_lin_calls_role(&calls, i) == HD_LIN_STEP)
            step(p, &calls, &longer, i, matters[i]);
        else
            around(p, &calls, &longer, i);
    hd_str_append(p->out, "]}");
    if (race)
        free(longer.log);
    hd_lin_calls_release(&calls);
    free(shown.stale);
    free(matters);
}
