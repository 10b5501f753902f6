/* The data, in the words of script.js:
 *
 *   { program, verdict, memory, notes[], strategy, version,
 *     violations: [ { kind, words, message, place, cycle, standings[], ends: [ [thread, what,
 *                     file, line] ], deciding[], joint, runs: [ failing, passing? ] } ],
 *     files: [ { name, lines[] } ] }
 *   run:  { threads[], steps: [ [thread, op, what, object, read, written, file, line, function,
 *           flags] ], edges: [ [from, to] ], stale: [ [step, source, words] ] }
 *
 * A violation also has orders[]: sentences about stronger memory orders.  The source of a stale
 * step is the step whose store it reads; -1: the initial value; -2: it only stores.
 *
 * An edge is happens-before between two threads: the last conflicting step of each other
 * thread, creation before start, exit before join; without those that follow from others. */
#include "report/html.h"

#include "base/json.h"
#include "core/enabled.h"
#include "report/explain_memory.h"
#include "report/explain_order.h"
#include "report/html_assets.h"
#include "report/name.h"
#include "report/quoted.h"
#include "report/stack.h"
#include "report/stale.h"
#include "report/step.h"
#include "report/text.h"
#include "supervise/explain_order.h"

#include <stdlib.h>
#include <string.h>

#define COMPARED 2000 /* steps of a run whose conflicts are looked for */
#define MOST_LINES 5000

enum { PREEMPTION = 1, SOLO = 2, MATTERS = 4 }; /* flags, as script.js knows them */

struct page {
    struct hd_str *out;
    const struct hd_report *report;
    struct hd_strs files;
};

static uint32_t file_index(struct page *p, const char *name)
{
    for (size_t i = 0; i < p->files.n; i++)
        if (strcmp(p->files.items[i], name) == 0)
            return (uint32_t)i;
    hd_strs_add(&p->files, name);
    return (uint32_t)p->files.n - 1;
}

static void text(struct page *p, const char *before, const char *words)
{
    hd_str_append(p->out, before);
    hd_json_string(p->out, words);
}

/* The value as people write it, or null. */
static void value(struct page *p, const struct hd_run *run, const struct hd_step *s,
                  uint32_t flag, uint64_t number)
{
    if (!(s->flags & flag)) {
        hd_str_append(p->out, ",null");
        return;
    }
    struct hd_str words;
    hd_str_init(&words);
    hd_step_value(&words, number, s->size, run, p->report->file);
    text(p, ",", words.text);
    hd_str_release(&words);
}

static void step(struct page *p, const struct hd_run *run, uint32_t i, bool matters)
{
    const struct hd_step *s = &run->log[i];
    struct hd_place place = hd_program_site(p->report->file, s->site);
    struct hd_str words;
    hd_str_init(&words);
    hd_str_appendf(p->out, "%s[%u,\"%s\"", i ? ",\n" : "\n", s->thread, hd_op_table[s->op].text);
    hd_step_what(&words, s, run, p->report->file);
    text(p, ",", words.text);
    hd_str_clear(&words);
    if (s->object.where != HD_WHERE_THREAD)
        hd_step_about(&words, s, run, p->report->file);
    text(p, ",", words.text);
    value(p, run, s, HD_STEP_HAS_READ, s->value_read);
    value(p, run, s, HD_STEP_HAS_WRITTEN, s->value_written);
    if (place.line)
        hd_str_appendf(p->out, ",%u,%u", file_index(p, place.file), place.line);
    else
        hd_str_append(p->out, ",-1,0");
    text(p, ",", place.function);
    hd_str_appendf(p->out, ",%d]",
                   (s->flags & HD_STEP_PREEMPTION ? PREEMPTION : 0) |
                       (s->flags & HD_STEP_SOLO ? SOLO : 0) | (matters ? MATTERS : 0));
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
static void edges_into(struct page *p, const struct hd_run *run, uint32_t i, struct clocks *c,
                       bool *first)
{
    bool seen[HD_MAX_THREADS] = { false };
    const struct hd_step *to = &run->log[i];
    const struct hd_stale *stale = hd_run_stale(run, to);
    if (c->last[to->thread])
        merge(c, i, c->last[to->thread] - 1);
    for (uint32_t k = i; k-- > 0;) {
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

static void edges(struct page *p, const struct hd_run *run, bool *matters)
{
    struct clocks c = { .n_threads = run->threads.n, .matters = matters };
    bool first = true;
    if (run->n_log > COMPARED) {
        memset(matters, true, run->n_log * sizeof *matters);
        return;
    }
    c.before = hd_alloc(((uint64_t)run->n_log * c.n_threads + 1) * sizeof *c.before);
    for (uint32_t i = 0; i < run->n_log; i++)
        edges_into(p, run, i, &c, &first);
    free(c.before);
}

static void run_object(struct page *p, const struct hd_run *run)
{
    bool *matters = hd_alloc((run->n_log + 1) * sizeof *matters);
    struct hd_str name;
    hd_str_init(&name);
    hd_str_append(p->out, "{\"threads\":[");
    for (uint32_t t = 0; t < run->threads.n; t++) {
        hd_str_clear(&name);
        hd_name_thread(&name, &run->threads, t);
        text(p, t ? "," : "", name.text);
    }
    hd_str_append(p->out, "],\"edges\":[");
    edges(p, run, matters);
    hd_str_append(p->out, "],\"stale\":[");
    for (uint32_t i = 0; i < run->n_stale; i++) {
        const struct hd_stale *s = &run->stale[i];
        hd_str_appendf(p->out, "%s[%u,%d", i ? "," : "", s->step,
                       s->store ? -2 : (int)s->source - 1);
        hd_str_clear(&name);
        hd_stale_words(&name, s, run, p->report->file);
        text(p, ",", name.text);
        hd_str_append_char(p->out, ']');
    }
    hd_str_append(p->out, "],\"steps\":[");
    for (uint32_t i = 0; i < run->n_log; i++)
        step(p, run, i, matters[i]);
    hd_str_append(p->out, "]}");
    hd_str_release(&name);
    free(matters);
}

static void deciding(struct page *p, const struct hd_run *run)
{
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(p->out, ",\"deciding\":[");
    for (uint32_t i = 0; i < run->n_orderings; i++) {
        const struct hd_ordering *o = &run->orderings[i];
        hd_str_appendf(p->out, "%s[%lld,%lld", i ? "," : "", (long long)(int32_t)o->late_at,
                       (long long)(int32_t)o->early_at);
        hd_str_clear(&words);
        hd_explain_order_step(&words, &o->late, o->late_at, run, p->report->file);
        text(p, ",", words.text);
        hd_str_clear(&words);
        hd_explain_order_step(&words, &o->early, o->early_at, run, p->report->file);
        text(p, ",", words.text);
        hd_str_append_char(p->out, ']');
    }
    hd_str_appendf(p->out, "],\"joint\":%s", run->joint ? "true" : "false");
    hd_str_release(&words);
}

static void orders(struct page *p, const struct hd_run *run)
{
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(p->out, ",\"orders\":[");
    for (uint32_t i = 0; i < run->n_remedies; i++) {
        hd_str_clear(&words);
        hd_explain_memory_remedy(&words, &run->remedies[i], run, p->report->file);
        text(p, i ? "," : "", words.text);
    }
    hd_str_append_char(p->out, ']');
    hd_str_release(&words);
}

static void standings(struct page *p, const struct hd_run *run)
{
    struct hd_str words;
    bool first = true;
    hd_str_init(&words);
    hd_str_append(p->out, ",\"standings\":[");
    for (uint32_t i = 0; i < run->finding.n_standings; i++) {
        if (run->finding.standings[i].op == HD_OP_NONE)
            continue;
        hd_str_clear(&words);
        hd_text_standing(&words, &run->finding.standings[i], run, p->report->file);
        uint32_t around;
        hd_step_standing(&run->finding.standings[i], run, p->report->file, &around);
        hd_stack_words(&words, run, p->report->file, around, NULL);
        text(p, first ? "" : ",", words.text);
        first = false;
    }
    hd_str_append_char(p->out, ']');
    hd_str_release(&words);
}

static void end_of(struct page *p, uint32_t thread, const char *words, struct hd_place place,
                   bool first)
{
    hd_str_appendf(p->out, "%s[%u", first ? "" : ",", thread);
    text(p, ",", words);
    hd_str_appendf(p->out, ",%d,%u]", place.line ? (int)file_index(p, place.file) : -1,
                   place.line);
}

/* What follows the last step: what broke the program, or which threads wait for ever. */
static void ends(struct page *p, const struct hd_run *run)
{
    const struct hd_finding *f = &run->finding;
    bool first = true;
    uint32_t thread;
    struct hd_place place = hd_step_place(run, p->report->file, &thread);
    hd_str_append(p->out, ",\"ends\":[");
    for (uint32_t i = 0; f->kind == HD_KIND_DEADLOCK && i < f->n_standings; i++) {
        const struct hd_standing *s = &f->standings[i];
        if (s->op == HD_OP_NONE || s->enabled)
            continue;
        end_of(p, s->thread, "waits for ever", hd_program_site(p->report->file, s->site), first);
        first = false;
    }
    if (f->kind != HD_KIND_DEADLOCK && f->kind != HD_KIND_DATA_RACE &&
        f->kind != HD_KIND_LIVELOCK)
        end_of(p, thread, f->message, place, true);
    hd_str_append_char(p->out, ']');
}

static void violation(struct page *p, const struct hd_run *run)
{
    uint32_t thread;
    struct hd_place place = hd_step_place(run, p->report->file, &thread);
    struct hd_str where;
    hd_str_init(&where);
    hd_name_thread(&where, &run->threads, thread);
    if (place.line) {
        hd_str_append(&where, " at ");
        hd_step_where(&where, &place);
    }
    text(p, "{\"kind\":", hd_kind_text(run->finding.kind));
    text(p, ",\"words\":", hd_kind_words(run->finding.kind));
    text(p, ",\"message\":", run->finding.message);
    if (run->finding.n_standings == 0)
        hd_stack_words(&where, run, p->report->file, hd_step_stack(run, p->report->file), NULL);
    text(p, ",\"place\":", where.text);
    hd_str_appendf(p->out, ",\"at\":[%d,%u]", place.line ? (int)file_index(p, place.file) : -1,
                   place.line);
    hd_str_appendf(p->out, ",\"cycle\":%u", run->finding.cycle);
    standings(p, run);
    ends(p, run);
    deciding(p, run);
    orders(p, run);
    hd_str_append(p->out, ",\"runs\":[");
    run_object(p, run);
    if (run->passing) {
        hd_str_append_char(p->out, ',');
        run_object(p, run->passing);
    }
    hd_str_append(p->out, "]}");
    hd_str_release(&where);
}

static void file_object(struct page *p, const char *name)
{
    struct hd_str source;
    hd_str_init(&source);
    text(p, "{\"name\":", name);
    hd_str_append(p->out, ",\"lines\":[");
    if (hd_quoted_read(name, &source)) {
        char *rest = source.text, *line;
        for (uint32_t n = 0; n < MOST_LINES && (line = strsep(&rest, "\n")); n++)
            text(p, n ? "," : "", line);
    }
    hd_str_append(p->out, "]}");
    hd_str_release(&source);
}

static void data(struct page *p)
{
    const struct hd_report *r = p->report;
    text(p, "{\"program\":", r->program);
    text(p, ",\"version\":", r->version);
    text(p, ",\"strategy\":", r->strategy);
    text(p, ",\"verdict\":", hd_verdict_text(r->summary->verdict));
    text(p, ",\"memory\":", hd_memory_text(r->summary->memory));
    hd_str_appendf(p->out, ",\"executions\":%llu,\"seconds\":%.2f",
                   (unsigned long long)r->result->counters.executions, r->result->seconds);
    hd_str_append(p->out, ",\"notes\":[");
    for (size_t i = 0; i < r->summary->downgrades.n; i++)
        text(p, i ? "," : "", r->summary->downgrades.items[i]);
    for (size_t i = 0; i < r->summary->assumptions.n; i++) {
        char *line = hd_str_format("assuming: %s", r->summary->assumptions.items[i]);
        text(p, i || r->summary->downgrades.n ? "," : "", line);
        free(line);
    }
    hd_str_append(p->out, "],\"violations\":[");
    for (uint32_t i = 0; i < r->result->n_runs; i++) {
        hd_str_append(p->out, i ? "," : "");
        violation(p, &r->result->runs[i]);
    }
    hd_str_append(p->out, "],\"files\":[");
    for (size_t i = 0; i < p->files.n; i++) {
        hd_str_append(p->out, i ? ",\n" : "");
        file_object(p, p->files.items[i]);
    }
    hd_str_append(p->out, "]}");
}

/* Inside a script element nothing may look like the end of it. */
static void inert(struct hd_str *out, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            hd_str_append(out, "\\u003c");
        else
            hd_str_append_char(out, *json);
}

void hd_html_result(struct hd_str *out, const struct hd_report *report)
{
    struct hd_str json;
    struct page p = { .out = &json, .report = report };
    hd_str_init(&json);
    hd_strs_init(&p.files);
    data(&p);
    /* The page has a line of its own for each part: <!--style-->, <!--data-->,
     * <!--script-->. */
    for (const char *at = hd_html_page; *at;) {
        const char *mark = strstr(at, "<!--");
        hd_str_append_bytes(out, at, mark ? (size_t)(mark - at) : strlen(at));
        if (!mark)
            break;
        if (hd_str_starts(mark, "<!--style"))
            hd_str_append(out, hd_html_style);
        else if (hd_str_starts(mark, "<!--data"))
            inert(out, json.text);
        else
            hd_str_append(out, hd_html_script);
        at = strstr(mark, "-->") + 3;
    }
    hd_strs_release(&p.files);
    hd_str_release(&json);
}
