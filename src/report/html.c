/* The data, in the words of script.js:
 *
 *   { program, verdict, memory, notes[], strategy, version,
 *     violations: [ { program?, kind, words, message, place, cycle, standings[],
 *                     ends: [ [thread, what, file, line] ], race: [step, step]?, why[]?,
 *                     history: { title?, words, threads, calls: [ [part, row,
 *                     words, step, odd] ] }?,
 *                     origins: [ [words, step, file, line] ],
 *                     commands: [ [for what, command] ], deciding[], joint, wake,
 *                     runs: [ failing, passing? ] } ],
 *     files: [ { name, lines[] } ] }
 *   A violation names its program if there are several.
 *   run:  { threads[], steps: [ [thread, op, what, object, read, written, file, line, function,
 *           flags, the object's own name, bytes of memory] ], edges: [ [from, to] ],
 *           stale: [ [step, source, words] ], calls: [ [thread, from, to or -1, words] ],
 *           output: [ [step, text] ] }
 *
 * A violation also has orders[]: sentences about stronger memory orders.  The source of a stale
 * step is the step whose store it reads; -1: the initial value; -2: it only stores.
 *
 * The object of a step is called as the source calls it there; its own name is the same at all
 * of its accesses.  An edge is happens-before between two threads: the last conflicting step of
 * each other thread, creation before start, exit before join; without those that follow from
 * others. */
#include "report/html.h"

#include "base/json.h"
#include "report/cause.h"
#include "report/explain_memory.h"
#include "report/explain_order.h"
#include "report/history.h"
#include "report/html_assets.h"
#include "report/html_page.h"
#include "report/lin_calls.h"
#include "report/name.h"
#include "report/quoted.h"
#include "report/race_log.h"
#include "report/stack.h"
#include "report/step.h"
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LINES 5000

uint32_t hd_html_file(struct hd_html *p, const char *name)
{
    for (size_t i = 0; i < p->files.n; i++)
        if (strcmp(p->files.items[i], name) == 0)
            return (uint32_t)i;
    hd_strs_add(&p->files, name);
    return (uint32_t)p->files.n - 1;
}

void hd_html_text(struct hd_html *p, const char *before, const char *words)
{
    hd_str_append(p->out, before);
    hd_json_string(p->out, words);
}

static void deciding(struct hd_html *p, const struct hd_run *run)
{
    struct hd_str words;
    struct hd_lin_calls calls;
    hd_str_init(&words);
    hd_lin_calls_init(&calls, run, p->report->file);
    hd_str_append(p->out, ",\"deciding\":[");
    for (uint32_t i = 0; i < run->n_orderings; i++) {
        const struct hd_ordering *o = &run->orderings[i];
        uint32_t late = o->late_at == ~0u ? ~0u : hd_lin_calls_seen(&calls, o->late_at);
        hd_str_appendf(p->out, "%s[%lld,%lld", i ? "," : "", (long long)(int32_t)late,
                       (long long)hd_lin_calls_seen(&calls, o->early_at));
        hd_str_clear(&words);
        hd_explain_order_step(&words, &o->late, o->late_at, run, p->report->file);
        hd_html_text(p, ",", words.text);
        hd_str_clear(&words);
        hd_explain_order_step(&words, &o->early, o->early_at, run, p->report->file);
        hd_html_text(p, ",", words.text);
        hd_str_append_char(p->out, ']');
    }
    hd_str_appendf(p->out, "],\"joint\":%s", run->joint ? "true" : "false");
    hd_str_clear(&words);
    if (hd_explain_order_wake(&words, run, p->report->file)) {
        hd_str_appendf(p->out, ",\"wake\":[%u", hd_lin_calls_seen(&calls, run->rewake - 1));
        hd_html_text(p, ",", words.text);
        hd_str_append_char(p->out, ']');
    }
    hd_lin_calls_release(&calls);
    hd_str_release(&words);
}

static void orders(struct hd_html *p, const struct hd_run *run)
{
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(p->out, ",\"orders\":[");
    for (uint32_t i = 0; i < run->n_remedies; i++) {
        hd_str_clear(&words);
        hd_explain_memory_remedy(&words, &run->remedies[i], run, p->report->file);
        hd_html_text(p, i ? "," : "", words.text);
    }
    hd_str_append_char(p->out, ']');
    hd_str_release(&words);
}

static void standings(struct hd_html *p, const struct hd_run *run)
{
    struct hd_str words;
    bool first = true;
    hd_str_init(&words);
    hd_str_append(p->out, ",\"standings\":[");
    for (uint32_t i = 0; i < run->finding.n_standings; i++) {
        if (run->finding.standings[i].op == HD_OP_NONE ||
            hd_lin_calls_joins(&run->finding.standings[i], p->report->file))
            continue;
        hd_str_clear(&words);
        hd_text_standing(&words, &run->finding.standings[i], run, p->report->file);
        uint32_t around;
        hd_step_standing(&run->finding.standings[i], run, p->report->file, &around);
        hd_stack_words(&words, run, p->report->file, around, NULL);
        hd_html_text(p, first ? "" : ",", words.text);
        first = false;
    }
    hd_str_append_char(p->out, ']');
    hd_str_release(&words);
}

static void end_of(struct hd_html *p, uint32_t thread, const char *words, struct hd_place place,
                   bool first)
{
    hd_str_appendf(p->out, "%s[%u", first ? "" : ",", thread);
    hd_html_text(p, ",", words);
    hd_str_appendf(p->out, ",%d,%u]", place.line ? (int)hd_html_file(p, place.file) : -1,
                   place.line);
}

/* Where the program breaks; nowhere, if it is the code around calls. */
static struct hd_place place_of(struct hd_html *p, const struct hd_run *run, uint32_t *thread)
{
    struct hd_place place = hd_step_place(run, p->report->file, thread);
    if (hd_lin_calls_around(&place))
        place = (struct hd_place){ .file = "", .function = "", .variable = "" };
    return place;
}

/* What follows the last step: what broke the program, or which threads wait for ever. */
static void ends(struct hd_html *p, const struct hd_run *run)
{
    const struct hd_finding *f = &run->finding;
    bool first = true;
    uint32_t thread;
    struct hd_place place = place_of(p, run, &thread);
    hd_str_append(p->out, ",\"ends\":[");
    for (uint32_t i = 0; f->kind == HD_KIND_DEADLOCK && i < f->n_standings; i++) {
        const struct hd_standing *s = &f->standings[i];
        if (s->op == HD_OP_NONE || s->enabled || hd_lin_calls_joins(s, p->report->file))
            continue;
        end_of(p, s->thread, "waits for ever", hd_step_standing(s, run, p->report->file, NULL),
               first);
        first = false;
    }
    if (f->kind != HD_KIND_DEADLOCK && f->kind != HD_KIND_DATA_RACE &&
        f->kind != HD_KIND_LIVELOCK)
        end_of(p, thread, f->message, place, true);
    hd_str_append_char(p->out, ']');
}

/* The two accesses of a data race, as steps. */
static void race(struct hd_html *p, const struct hd_run *run)
{
    if (run->finding.kind != HD_KIND_DATA_RACE)
        return;
    uint32_t at[2];
    struct hd_run longer = hd_race_log(run, at);
    free(longer.log);
    hd_str_appendf(p->out, ",\"race\":[%u,%u]", at[0], at[1]);
}

/* The step of the thread at that site, the last one; -1 when no step is there. */
static int step_of(const struct hd_run *run, uint32_t thread, uint32_t site)
{
    for (uint32_t i = run->n_log; i-- > 0;)
        if (run->log[i].thread == thread && run->log[i].site == site)
            return (int)i;
    return -1;
}

/* What happened to a block before: [ words, step, file, line ]. */
static void origins(struct hd_html *p, const struct hd_run *run)
{
    struct hd_str words;
    bool first = true;
    hd_str_init(&words);
    hd_str_append(p->out, ",\"origins\":[");
    for (uint32_t i = 0; i < run->finding.n_origins; i++) {
        const struct hd_origin *o = &run->finding.origins[i];
        if (o->what != HD_ORIGIN_MADE && o->what != HD_ORIGIN_FREED)
            continue;
        hd_str_clear(&words);
        hd_text_origin(&words, o, run, p->report->file);
        struct hd_place at = hd_program_site(p->report->file, o->site);
        hd_html_text(p, first ? "[" : ",[", words.text);
        hd_str_appendf(p->out, ",%d,%d,%u]", step_of(run, o->thread, o->site),
                       at.line ? (int)hd_html_file(p, at.file) : -1, at.line);
        first = false;
    }
    hd_str_append_char(p->out, ']');
    hd_str_release(&words);
}

static void command(struct hd_html *p, const char *label, const char *option,
                    const char *operands, bool *first)
{
    char *line = hd_str_format("%s%s %s", p->report->replay, option, operands);
    hd_html_text(p, *first ? "[" : ",[", label);
    hd_html_text(p, ",", line);
    hd_str_append_char(p->out, ']');
    *first = false;
    free(line);
}

/* [ what it is for, the command ] */
static void commands(struct hd_html *p, uint32_t i)
{
    const struct hd_report *r = p->report;
    bool first = true;
    hd_str_append(p->out, ",\"commands\":[");
    if (r->replay && r->operands && r->operands[i]) {
        command(p, "replay", "", r->operands[i], &first);
        command(p, "in gdb", " --gdb", r->operands[i], &first);
    }
    if (r->replay && r->passing_operands && r->passing_operands[i])
        command(p, "the run that passes", "", r->passing_operands[i], &first);
    hd_str_append_char(p->out, ']');
}

/* The calls of a scenario of `heddle lin`; nothing for other programs. */
static void history(struct hd_html *p, const struct hd_run *run)
{
    struct hd_str table;
    struct hd_lin_calls calls;
    char *printed = hd_str_format("%.*s", (int)run->output_bytes, run->output ? run->output : "");
    hd_str_init(&table);
    hd_lin_calls_init(&calls, run, p->report->file);
    if (calls.any && hd_history_json(&table, printed, &calls))
        hd_str_appendf(p->out, ",\"history\":%s", table.text);
    hd_lin_calls_release(&calls);
    hd_str_release(&table);
    free(printed);
}

static void violation(struct hd_html *p, const struct hd_run *run)
{
    uint32_t thread;
    struct hd_place place = place_of(p, run, &thread);
    struct hd_run shown = hd_lin_calls_shown(run, p->report->file);
    struct hd_str where;
    hd_str_init(&where);
    hd_name_thread(&where, &run->threads, thread);
    if (place.line) {
        hd_str_append(&where, " at ");
        hd_step_where(&where, &place);
    }
    hd_str_append_char(p->out, '{');
    if (p->several) {
        hd_html_text(p, "\"program\":", p->report->program);
        hd_str_append_char(p->out, ',');
    }
    hd_html_text(p, "\"kind\":", hd_kind_text(run->finding.kind));
    hd_html_text(p, ",\"words\":", hd_kind_words(run->finding.kind));
    hd_html_text(p, ",\"message\":", run->finding.message);
    if (run->finding.n_standings == 0)
        hd_stack_words(&where, run, p->report->file, hd_step_stack(run, p->report->file), NULL);
    hd_html_text(p, ",\"place\":", where.text);
    hd_str_appendf(p->out, ",\"at\":[%d,%u]", place.line ? (int)hd_html_file(p, place.file) : -1,
                   place.line);
    hd_str_appendf(p->out, ",\"cycle\":%u", run->finding.cycle);
    standings(p, run);
    race(p, run);
    origins(p, run);
    commands(p, (uint32_t)(run - p->report->result->runs));
    ends(p, run);
    deciding(p, run);
    orders(p, &shown);
    hd_causes_json(p->out, run, p->report->file);
    history(p, run);
    free(shown.stale);
    hd_str_append(p->out, ",\"runs\":[");
    hd_html_run(p, run, run->finding.kind == HD_KIND_DATA_RACE);
    if (run->passing) {
        hd_str_append_char(p->out, ',');
        hd_html_run(p, run->passing, false);
    }
    hd_str_append(p->out, "]}");
    hd_str_release(&where);
}

/* Reads a file of one of the programs. */
static bool read_source(const char *name, const struct hd_report *reports, size_t n,
                        struct hd_str *source)
{
    for (size_t i = 0; i < n; i++)
        if (hd_quoted_read(name, hd_program_directory(reports[i].file), source))
            return true;
    return false;
}

static void file_object(struct hd_html *p, const char *name, const struct hd_report *reports,
                        size_t n_reports)
{
    struct hd_str source;
    hd_str_init(&source);
    hd_html_text(p, "{\"name\":", name);
    hd_str_append(p->out, ",\"lines\":[");
    if (read_source(name, reports, n_reports, &source)) {
        char *rest = source.text, *line;
        for (uint32_t n = 0; n < MOST_LINES && (line = strsep(&rest, "\n")); n++)
            hd_html_text(p, n ? "," : "", line);
    }
    hd_str_append(p->out, "]}");
    hd_str_release(&source);
}

/* What the page says of all programs is what the first report says. */
static void head(struct hd_html *p, const struct hd_report *r)
{
    hd_html_text(p, "{\"program\":", r->program);
    hd_html_text(p, ",\"version\":", r->version);
    hd_html_text(p, ",\"strategy\":", r->strategy);
    hd_html_text(p, ",\"verdict\":", hd_verdict_text(r->summary->verdict));
    hd_html_text(p, ",\"memory\":", hd_memory_text(r->summary->memory));
    hd_str_appendf(p->out, ",\"executions\":%llu,\"seconds\":%.2f",
                   (unsigned long long)r->result->counters.executions, r->result->seconds);
    hd_str_append(p->out, ",\"notes\":[");
    for (size_t i = 0; i < r->summary->downgrades.n; i++)
        hd_html_text(p, i ? "," : "", r->summary->downgrades.items[i]);
    for (size_t i = 0; i < r->summary->assumptions.n; i++) {
        char *line = hd_str_format("assuming: %s", r->summary->assumptions.items[i]);
        hd_html_text(p, i || r->summary->downgrades.n ? "," : "", line);
        free(line);
    }
    hd_str_append_char(p->out, ']');
}

static void data(struct hd_html *p, const struct hd_report *reports, size_t n)
{
    bool first = true;
    head(p, &reports[0]);
    hd_str_append(p->out, ",\"violations\":[");
    for (size_t r = 0; r < n; r++) {
        p->report = &reports[r];
        for (uint32_t i = 0; i < p->report->result->n_runs; i++, first = false) {
            hd_str_append(p->out, first ? "" : ",");
            violation(p, &p->report->result->runs[i]);
        }
    }
    hd_str_append(p->out, "],\"files\":[");
    for (size_t i = 0; i < p->files.n; i++) {
        hd_str_append(p->out, i ? ",\n" : "");
        file_object(p, p->files.items[i], reports, n);
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

/* The part that stands in place of the mark. */
static const char *asset(const char *mark)
{
    return hd_str_starts(mark, "<!--style")    ? hd_html_style
           : hd_str_starts(mark, "<!--model")  ? hd_html_model
           : hd_str_starts(mark, "<!--arrows") ? hd_html_arrows
           : hd_str_starts(mark, "<!--words")  ? hd_html_words
                                               : hd_html_script;
}

void hd_html_result(struct hd_str *out, const struct hd_report *report)
{
    hd_html_results(out, report, 1);
}

void hd_html_results(struct hd_str *out, const struct hd_report *reports, size_t n)
{
    struct hd_str json;
    struct hd_html p = { .out = &json, .several = n > 1 };
    hd_str_init(&json);
    hd_strs_init(&p.files);
    data(&p, reports, n);
    /* The page has a line of its own for each part: <!--style-->, <!--data-->,
     * <!--model-->, <!--arrows-->, <!--words-->, <!--script-->. */
    for (const char *at = hd_html_page; *at;) {
        const char *mark = strstr(at, "<!--");
        hd_str_append_bytes(out, at, mark ? (size_t)(mark - at) : strlen(at));
        if (!mark)
            break;
        if (hd_str_starts(mark, "<!--data"))
            inert(out, json.text);
        else
            hd_str_append(out, asset(mark));
        at = strstr(mark, "-->") + 3;
    }
    hd_strs_release(&p.files);
    hd_str_release(&json);
}
