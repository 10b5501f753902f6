/* The properties are those of SARIF 2.1.0: section numbers in comments are the standard's. */
#include "report/sarif.h"

#include "base/json.h"
#include "report/because.h"
#include "report/explain_memory.h"
#include "report/name.h"
#include "report/stack.h"
#include "report/stale.h"
#include "report/step.h"
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#define SCHEMA                                                                                   \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* 3.10: an artifact location's URI; relative paths stay relative. */
static void uri(struct hd_str *out, const char *path)
{
    static const char plain[] = "-._~/";
    hd_str_append(out, *path == '/' ? "\"file://" : "\"");
    for (const unsigned char *c = (const unsigned char *)path; *c; c++)
        if ((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
            strchr(plain, *c))
            hd_str_append_char(out, (char)*c);
        else
            hd_str_appendf(out, "%%%02X", *c);
    hd_str_append_char(out, '"');
}

static void message(struct hd_str *out, const char *text)
{
    hd_str_append(out, "\"message\": {\"text\": ");
    hd_json_string(out, text);
    hd_str_append_char(out, '}');
}

/* 3.28, without its braces; a place that is not known has no physical location. */
static void location(struct hd_str *out, const struct hd_place *place, const char *text)
{
    message(out, text);
    if (place->line) {
        hd_str_append(out, ", \"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
        uri(out, place->file);
        hd_str_appendf(out, "}, \"region\": {\"startLine\": %u", place->line);
        if (place->column)
            hd_str_appendf(out, ", \"startColumn\": %u", place->column);
        hd_str_append(out, "}}");
    }
    if (*place->function) {
        hd_str_append(out, ", \"logicalLocations\": [{\"kind\": \"function\", \"name\": ");
        hd_json_string(out, place->function);
        hd_str_append(out, "}]");
    }
}

/* 3.38: one step of a thread.  executionOrder is the step's number in the whole run. */
static void flow_location(struct hd_str *out, const struct hd_run *run, uint32_t i,
                          struct hd_program *program)
{
    const struct hd_step *step = &run->log[i];
    struct hd_place place = hd_step_at(step, run, program, NULL);
    struct hd_str what;
    hd_str_init(&what);
    const struct hd_stale *stale = hd_run_stale(run, step);
    hd_step_what(&what, step, run, program);
    if (stale) {
        hd_str_append(&what, ": ");
        hd_stale_words(&what, stale, run, program);
    }
    hd_str_append(out, "          {\"location\": {");
    location(out, &place, what.text);
    bool switched = i > 0 && run->log[i - 1].thread != step->thread;
    hd_str_appendf(out, "}, \"executionOrder\": %u, \"importance\": \"%s\"}", i + 1,
                   step->flags & HD_STEP_SOLO ? "unimportant"
                   : switched || stale        ? "essential"
                                              : "important");
    hd_str_release(&what);
}

/* 3.37 */
static void thread_flow(struct hd_str *out, const struct hd_run *run, uint32_t thread,
                        struct hd_program *program)
{
    struct hd_str name;
    hd_str_init(&name);
    hd_name_thread(&name, &run->threads, thread);
    hd_str_append(out, "        {\"id\": ");
    hd_json_string(out, name.text);
    hd_str_append(out, ", ");
    message(out, name.text);
    hd_str_append(out, ", \"locations\": [\n");
    bool first = true;
    for (uint32_t i = 0; i < run->n_log; i++) {
        if (run->log[i].thread != thread)
            continue;
        hd_str_append(out, first ? "" : ",\n");
        first = false;
        flow_location(out, run, i, program);
    }
    hd_str_append(out, "\n        ]}");
    hd_str_release(&name);
}

static void code_flow(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    bool seen[HD_MAX_THREADS] = { false }, first = true;
    hd_str_append(out, ",\n      \"codeFlows\": [{\"threadFlows\": [\n");
    for (uint32_t i = 0; i < run->n_log; i++)
        seen[run->log[i].thread] = true;
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++) {
        if (!seen[t])
            continue;
        hd_str_append(out, first ? "" : ",\n");
        first = false;
        thread_flow(out, run, t, program);
    }
    hd_str_append(out, "\n      ]}]");
}

struct related {
    struct hd_str *out;
    bool any;
};

static void relate(void *to, const struct hd_place *place, const char *words)
{
    struct related *r = to;
    if (!place->line)
        return;
    hd_str_append(r->out, r->any ? ", {" : ",\n      \"relatedLocations\": [{");
    location(r->out, place, words);
    hd_str_append_char(r->out, '}');
    r->any = true;
}

/* Where the threads of a deadlock or a race stand; where memory and values came from. */
static void related(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    struct related r = { .out = out };
    struct hd_str words;
    hd_str_init(&words);
    for (uint32_t i = 0; i < run->finding.n_standings; i++) {
        const struct hd_standing *s = &run->finding.standings[i];
        struct hd_place place = hd_step_standing(s, run, program, NULL);
        if (s->op == HD_OP_NONE)
            continue;
        hd_str_clear(&words);
        hd_text_standing(&words, s, run, program);
        relate(&r, &place, words.text);
    }
    hd_because(run, program, relate, &r);
    if (r.any)
        hd_str_append_char(out, ']');
    hd_str_release(&words);
}

/* One thread's calls (3.44), from the place where it stands outwards. */
static void stack(struct hd_str *out, const struct hd_run *run, struct hd_program *program,
                  uint32_t thread, const struct hd_place *place, uint32_t number)
{
    struct hd_place calls[HD_MAX_FRAMES];
    struct hd_str name;
    uint32_t n = hd_stack_places(run, program, number, calls, HD_MAX_FRAMES);
    hd_str_init(&name);
    hd_name_thread(&name, &run->threads, thread);
    hd_str_append_char(out, '{');
    message(out, name.text);
    hd_str_append(out, ", \"frames\": [{\"location\": {");
    location(out, place, place->function);
    for (uint32_t i = 0; i < n; i++) {
        hd_str_append(out, "}}, {\"location\": {");
        location(out, &calls[i], calls[i].function);
    }
    hd_str_append(out, "}}]}");
    hd_str_release(&name);
}

static void stacks(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    uint32_t thread;
    struct hd_place place = hd_step_place(run, program, &thread);
    if (!hd_stack_any(run, program) || !place.line)
        return;
    hd_str_append(out, ",\n      \"stacks\": [");
    stack(out, run, program, thread, &place, hd_step_stack(run, program));
    place = hd_program_site(program, f->standings[1].site);
    if (f->kind == HD_KIND_DATA_RACE && place.line) {
        hd_str_append(out, ", ");
        stack(out, run, program, f->standings[1].thread, &place, f->standings[1].stack);
    }
    hd_str_append_char(out, ']');
}

/* The message; of a deadlock also who waits for what, a line for each thread; what it goes back
 * to. */
static void message_of(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(&words, f->message);
    hd_text_standings(&words, run, program);
    hd_because_lines(&words, run, program);
    message(out, words.text);
    hd_str_release(&words);
}

static void result(struct hd_str *out, const struct hd_run *run, const char *trace,
                   struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    uint32_t thread;
    struct hd_place place = hd_step_place(run, program, &thread);
    struct hd_str where;
    hd_str_init(&where);
    hd_name_thread(&where, &run->threads, thread);
    hd_str_appendf(out, "    {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"level\": \"%s\", ",
                   hd_kind_text(f->kind), f->kind - 1, run->warning ? "warning" : "error");
    message_of(out, run, program);
    hd_str_append(out, ",\n      \"locations\": [{");
    location(out, &place, where.text);
    hd_str_append(out, "}]");
    related(out, run, program);
    stacks(out, run, program);
    if (run->n_log)
        code_flow(out, run, program);
    hd_str_appendf(out, ",\n      \"partialFingerprints\": {\"heddle/v1\": \"%016llx\"}",
                   (unsigned long long)f->fingerprint);
    hd_str_appendf(out, ",\n      \"properties\": {\"steps\": %u, \"preemptions\": %u",
                   hd_run_steps(run), f->preemptions);
    if (trace) {
        hd_str_append(out, ", \"trace\": ");
        hd_json_string(out, trace);
    }
    if (run->n_stale) {
        hd_str_append(out, ", \"stale\": ");
        hd_stale_json(out, run, program);
    }
    if (run->n_remedies) {
        hd_str_append(out, ", \"stronger_orders\": ");
        hd_explain_memory_json(out, run, program);
    }
    hd_str_append(out, "}}");
    hd_str_release(&where);
}

/* Everything up to the results: a rule per kind of violation (3.49), in the order of the
 * kinds. */
static void opening(struct hd_str *out, const char *version)
{
    hd_str_append(out, "{\"$schema\": \"" SCHEMA "\",\n \"version\": \"2.1.0\",\n \"runs\": [{\n"
                       "  \"tool\": {\"driver\": {\"name\": \"heddle\", \"version\": ");
    hd_json_string(out, version);
    hd_str_append(out, ", \"rules\": [\n");
    for (uint32_t kind = 1; kind < HD_KIND_COUNT; kind++) {
        hd_str_appendf(
            out, "    {\"id\": \"%s\", \"shortDescription\": {\"text\": ", hd_kind_text(kind));
        hd_json_string(out, hd_kind_words(kind));
        hd_str_appendf(out, "}}%s\n", kind + 1 < HD_KIND_COUNT ? "," : "");
    }
    hd_str_append(out, "  ]}},\n  \"columnKind\": \"unicodeCodePoints\",\n");
}

/* 3.20: the one invocation; a notification (3.58) per note. */
static void invocation(struct hd_str *out, bool ran, const char *level, char *const *notes,
                       size_t n)
{
    hd_str_appendf(out, "  \"invocations\": [{\"executionSuccessful\": %s",
                   ran ? "true" : "false");
    for (size_t i = 0; i < n; i++) {
        hd_str_appendf(out, "%s{\"level\": \"%s\", ",
                       i ? ", " : ", \"toolExecutionNotifications\": [", level);
        message(out, notes[i]);
        hd_str_append_char(out, '}');
    }
    hd_str_append(out, n ? "]}]" : "}]");
}

void hd_sarif_result(struct hd_str *out, const struct hd_report *report)
{
    const struct hd_strs *notes = &report->summary->downgrades;
    opening(out, report->version);
    invocation(out, true, report->require_verified ? "warning" : "note", notes->items, notes->n);
    hd_str_append(out, ",\n  \"results\": [");
    for (uint32_t i = 0; i < report->result->n_runs; i++) {
        hd_str_append(out, i ? ",\n" : "\n");
        result(out, &report->result->runs[i], report->traces[i], report->file);
    }
    hd_str_append(out, "],\n  \"properties\": {\"verdict\": ");
    hd_json_string(out, hd_verdict_text(report->summary->verdict));
    hd_str_append(out, ", \"assumptions\": [");
    for (size_t i = 0; i < report->summary->assumptions.n; i++) {
        hd_str_append(out, i ? ", " : "");
        hd_json_string(out, report->summary->assumptions.items[i]);
    }
    hd_str_append(out, "], \"program\": ");
    hd_json_string(out, report->program);
    hd_str_append(out, ", \"strategy\": ");
    hd_json_string(out, report->strategy);
    hd_str_append(out, "}\n }]}\n");
}

void hd_sarif_error(struct hd_str *out, const char *version, const char *text)
{
    char *note = hd_strdup(text);
    opening(out, version);
    invocation(out, false, "error", &note, 1);
    hd_str_append(out, ",\n  \"results\": []\n }]}\n");
    free(note);
}
