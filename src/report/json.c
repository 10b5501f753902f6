#include "report/json.h"

#include "base/json.h"
#include "report/cause.h"
#include "report/explain_memory.h"
#include "report/explain_order.h"
#include "report/held.h"
#include "report/name.h"
#include "report/object.h"
#include "report/race_groups.h"
#include "report/stack.h"
#include "report/stale.h"
#include "report/step.h"
#include "report/wake.h"

#include <stdlib.h>
#include <string.h>

static void key(struct hd_str *out, const char *name)
{
    hd_str_appendf(out, ",\n  \"%s\": ", name);
}

static void text_field(struct hd_str *out, const char *name, const char *text)
{
    key(out, name);
    hd_json_string(out, text);
}

static void number_field(struct hd_str *out, const char *name, uint64_t number)
{
    key(out, name);
    hd_str_appendf(out, "%llu", (unsigned long long)number);
}

static void seconds_field(struct hd_str *out, const char *name, double seconds)
{
    key(out, name);
    hd_str_appendf(out, "%.6f", seconds);
}

static void opening(struct hd_str *out, const char *version, const char *program)
{
    hd_str_append(out, "{\n  \"heddle\": ");
    hd_json_string(out, version);
    text_field(out, "program", program);
}

static void location(struct hd_str *out, const struct hd_place *place)
{
    hd_str_append(out, "{\"file\": ");
    hd_json_string(out, place->file);
    hd_str_appendf(out, ", \"line\": %u, \"function\": ", place->line);
    hd_json_string(out, place->function);
    hd_str_append_char(out, '}');
}

/* The calls that a thread stood in, innermost first: where each was made. */
static void stack(struct hd_str *out, const char *name, const struct hd_run *run, uint32_t number,
                  struct hd_program *program)
{
    struct hd_place places[HD_MAX_FRAMES];
    uint32_t n = hd_stack_places(run, program, number, places, HD_MAX_FRAMES);
    hd_str_appendf(out, ",\n     \"%s\": [", name);
    for (uint32_t i = 0; i < n; i++) {
        hd_str_append(out, i ? ", " : "");
        location(out, &places[i]);
    }
    hd_str_append_char(out, ']');
}

/* The second access of a data race, and the variable. */
static void other_half(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_standing *s = run->finding.standings;
    struct hd_place place = hd_program_site(program, s[1].site);
    struct hd_str name;
    hd_str_init(&name);
    hd_str_append(out, ",\n     \"other_location\": ");
    location(out, &place);
    hd_name_thread(&name, &run->threads, s[1].thread);
    hd_str_append(out, ", \"other_thread\": ");
    hd_json_string(out, name.text);
    stack(out, "other_calls", run, s[1].stack, program);
    hd_str_clear(&name);
    hd_step_stood_at(&name, &s[0], run, program);
    hd_str_append(out, ", \"variable\": ");
    hd_json_string(out, name.text);
    hd_str_release(&name);
}

/* What a thread waits for: the operation, its object, and who holds that or is joined. */
static void waits_for(struct hd_str *out, const struct hd_standing *s, const struct hd_run *run,
                      const struct hd_program *program)
{
    struct hd_place taken = hd_program_site(program, s->owner_site);
    struct hd_str words;
    hd_str_init(&words);
    hd_str_appendf(out, ", \"op\": \"%s\"",
                   s->op == HD_OP_BLOCKED ? "wait" : hd_op_table[s->op].text);
    if (s->object.where != HD_WHERE_NONE) {
        struct hd_step next = { .op = s->op, .site = s->site, .object = s->object };
        hd_step_about(&words, &next, run, program);
        hd_str_append(out, ", \"object\": ");
        hd_json_string(out, words.text);
    }
    if (s->owner != ~0u) {
        hd_str_clear(&words);
        hd_name_thread(&words, &run->threads, s->owner);
        hd_str_append(out, ", \"holder\": ");
        hd_json_string(out, words.text);
    }
    if (s->owner != ~0u && taken.line) {
        hd_str_append(out, ", \"held_since\": ");
        location(out, &taken);
    }
    hd_str_release(&words);
}

/* The locks that the thread holds, and where it took them. */
static void holds(struct hd_str *out, const struct hd_standing *s, const struct hd_run *run,
                  struct hd_program *program)
{
    uint32_t steps[HD_MOST_HELD], n = hd_held_find(run, s->thread, steps);
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(out, ", \"holds\": [");
    for (uint32_t i = 0; i < n; i++) {
        struct hd_place place = hd_step_at(&run->log[steps[i]], run, program, NULL);
        hd_str_clear(&words);
        hd_step_about(&words, &run->log[steps[i]], run, program);
        hd_str_append(out, i ? ", {\"object\": " : "{\"object\": ");
        hd_json_string(out, words.text);
        hd_str_appendf(out, ", \"step\": %u, \"since\": ", steps[i] + 1);
        location(out, &place);
        hd_str_append_char(out, '}');
    }
    hd_str_append_char(out, ']');
    hd_str_release(&words);
}

/* Of a wait for a condition variable: the mutex that it released, and all its signals. */
static void condition(struct hd_str *out, const struct hd_standing *s, const struct hd_run *run,
                      struct hd_program *program)
{
    const char *before = "";
    uint32_t wait = hd_held_wait(run, s);
    struct hd_str words;
    if (!wait)
        return;
    hd_str_init(&words);
    hd_step_mutex(&words, &run->log[wait - 1], run, program);
    hd_str_append(out, ", \"mutex\": ");
    hd_json_string(out, words.text);
    hd_str_append(out, ", \"signals\": [");
    for (uint32_t i = 0; i < run->n_log; i++) {
        struct hd_place place = hd_step_at(&run->log[i], run, program, NULL);
        if (!hd_wake_is_signal(&run->log[i], s))
            continue;
        hd_str_clear(&words);
        hd_step_what(&words, &run->log[i], run, program);
        hd_str_appendf(out, "%s{\"step\": %u, \"what\": ", before, i + 1);
        hd_json_string(out, words.text);
        hd_str_append(out, ", \"location\": ");
        location(out, &place);
        hd_str_append_char(out, '}');
        before = ", ";
    }
    hd_str_append_char(out, ']');
    hd_str_release(&words);
}

/* The threads that wait, and where. */
static void waiting(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    const char *before = ",\n     \"waiting\": [";
    struct hd_str thread;
    hd_str_init(&thread);
    for (uint32_t i = 0; i < f->n_standings; i++) {
        uint32_t around;
        struct hd_place place = hd_step_standing(&f->standings[i], run, program, &around);
        if (f->standings[i].op == HD_OP_NONE)
            continue;
        hd_str_clear(&thread);
        hd_name_thread(&thread, &run->threads, f->standings[i].thread);
        hd_str_appendf(out, "%s{\"thread\": ", before);
        hd_json_string(out, thread.text);
        hd_str_append(out, ", \"location\": ");
        location(out, &place);
        waits_for(out, &f->standings[i], run, program);
        condition(out, &f->standings[i], run, program);
        holds(out, &f->standings[i], run, program);
        stack(out, "calls", run, around, program);
        hd_str_append_char(out, '}');
        before = ", ";
    }
    if (before[1] == ' ')
        hd_str_append_char(out, ']');
    hd_str_release(&thread);
}

/* The newest signals of condition variables on which threads wait now, where they came too
 * early. */
static void lost_signals(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const char *before = ",\n     \"lost_signals\": [";
    for (uint32_t i = 0; i < run->finding.n_standings; i++) {
        struct hd_wake lost = hd_wake_last(run, &run->finding.standings[i]);
        if (lost.fate != HD_WAKE_UNHEARD && lost.fate != HD_WAKE_EARLY)
            continue;
        struct hd_place place = hd_step_at(&run->log[lost.step], run, program, NULL);
        hd_str_appendf(out, "%s{\"step\": %u, \"location\": ", before, lost.step + 1);
        location(out, &place);
        hd_str_append_char(out, '}');
        before = ", ";
    }
    if (*before == ',' && before[1] == ' ')
        hd_str_append_char(out, ']');
}

/* Where the block of a memory error was made and freed. */
static void origins(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    struct hd_str thread;
    if (f->n_origins == 0 || f->kind == HD_KIND_DATA_RACE) /* of a race the message says it */
        return;
    hd_str_init(&thread);
    hd_str_append(out, ",\n     \"memory\": [");
    for (uint32_t i = 0; i < f->n_origins; i++) {
        struct hd_place at = hd_program_site(program, f->origins[i].site);
        bool made = f->origins[i].what == HD_ORIGIN_MADE;
        hd_str_clear(&thread);
        hd_name_thread(&thread, &run->threads, f->origins[i].thread);
        hd_str_appendf(out, "%s{\"what\": \"%s\", \"location\": ", i ? ", " : "",
                       made ? "allocated" : "freed");
        location(out, &at);
        hd_str_append(out, ", \"thread\": ");
        hd_json_string(out, thread.text);
        hd_str_append_char(out, '}');
    }
    hd_str_append_char(out, ']');
    hd_str_release(&thread);
}

/* The orderings and the wake that make the run pass. */
static void deciding(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    struct hd_str thread;
    if (run->n_orderings) {
        hd_str_appendf(out,
                       ",\n     \"joint\": %s, \"deciding\": ", run->joint ? "true" : "false");
        hd_explain_order_json(out, run, program);
    }
    if (run->rewake) {
        hd_str_init(&thread);
        hd_name_thread(&thread, &run->threads, run->rewoken);
        hd_str_appendf(out,
                       ",\n     \"deciding_wake\": {\"step\": %u, \"thread\": ", run->rewake);
        hd_json_string(out, thread.text);
        hd_str_append_char(out, '}');
        hd_str_release(&thread);
    }
}

static void violation(struct hd_str *out, const struct hd_run *run, const char *trace,
                      const char *passing, uint32_t group, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    uint32_t where;
    struct hd_place place = hd_step_place(run, program, &where);
    struct hd_str thread;
    hd_str_init(&thread);
    hd_name_thread(&thread, &run->threads, where);
    hd_str_append(out, "    {\"kind\": ");
    hd_json_string(out, hd_kind_text(f->kind));
    hd_str_append(out, ", \"message\": ");
    hd_json_string(out, f->message);
    hd_str_append(out, ",\n     \"location\": ");
    location(out, &place);
    hd_str_append(out, ",\n     \"thread\": ");
    hd_json_string(out, thread.text);
    if (hd_stack_any(run, program))
        stack(out, "calls", run, hd_step_stack(run, program), program);
    if (f->kind == HD_KIND_DATA_RACE)
        other_half(out, run, program);
    if (group)
        hd_str_appendf(out, ", \"group\": %u", group);
    if (f->partial)
        hd_str_append(out, ", \"partial\": true");
    if (f->kind == HD_KIND_LIVELOCK)
        hd_str_appendf(out, ", \"cycle\": %u", f->cycle);
    if (f->kind == HD_KIND_DEADLOCK) {
        waiting(out, run, program);
        lost_signals(out, run, program);
    }
    hd_str_appendf(out, ", \"execution\": %llu, \"steps\": %u, \"preemptions\": %u",
                   (unsigned long long)f->execution, hd_run_steps(run), f->preemptions);
    origins(out, run, program);
    hd_causes_json(out, run, program);
    hd_str_append(out, ", \"trace\": ");
    if (trace)
        hd_json_string(out, trace);
    else
        hd_str_append(out, "null");
    deciding(out, run, program);
    if (run->n_stale) {
        hd_str_append(out, ",\n     \"stale\": ");
        hd_stale_json(out, run, program);
    }
    if (run->n_remedies) {
        hd_str_append(out, ",\n     \"stronger_orders\": ");
        hd_explain_memory_json(out, run, program);
    }
    if (passing) {
        hd_str_append(out, ",\n     \"passing_trace\": ");
        hd_json_string(out, passing);
    }
    hd_str_append_char(out, '}');
    hd_str_release(&thread);
}

static void counters(struct hd_str *out, const struct hd_counters *cnt)
{
    number_field(out, "executions", cnt->executions);
    number_field(out, "blocked", cnt->blocked);
    number_field(out, "pruned", cnt->pruned);
    number_field(out, "bounded", cnt->bounded);
    if (cnt->assumed)
        number_field(out, "assumed", cnt->assumed);
    number_field(out, "events", cnt->events);
    number_field(out, "replayed", cnt->replayed);
    number_field(out, "states", cnt->states);
    if (cnt->states_forgotten)
        number_field(out, "states_forgotten", cnt->states_forgotten);
    number_field(out, "choices", cnt->choices);
    number_field(out, "passes", cnt->passes + 1);
    number_field(out, "last_choices", cnt->choices - cnt->choices_before);
    number_field(out, "max_depth", cnt->max_depth);
    if (cnt->traces)
        number_field(out, "traces", cnt->traces);
    if (cnt->observations) {
        number_field(out, "observations", cnt->observations);
        key(out, "observations_hash");
        hd_str_appendf(out, "\"%016llx\"", (unsigned long long)cnt->observations_hash);
    }
    if (cnt->digest) {
        key(out, "digest");
        hd_str_appendf(out, "\"%016llx\"", (unsigned long long)cnt->digest);
    }
}

static void runs(struct hd_str *out, const struct hd_report *in, const char *name, bool warnings)
{
    const struct hd_result *result = in->result;
    const char *before = "\n";
    uint32_t *groups = hd_alloc((result->n_runs + 1) * sizeof *groups);
    hd_race_groups(result, in->file, groups);
    key(out, name);
    hd_str_append_char(out, '[');
    for (uint32_t i = 0; i < result->n_runs; i++) {
        if (result->runs[i].warning != warnings)
            continue;
        hd_str_append(out, before);
        violation(out, &result->runs[i], in->traces[i], in->passing ? in->passing[i] : NULL,
                  groups[i], in->file);
        before = ",\n";
    }
    free(groups);
    hd_str_append_char(out, ']');
}

static void inversion(struct hd_str *out, const struct hd_report *in,
                      const struct hd_inversion *inversion)
{
    const struct hd_threads *threads = &in->result->threads;
    struct hd_str name;
    hd_str_init(&name);
    hd_str_append_char(out, '[');
    for (uint32_t i = 0; i < inversion->n; i++) {
        const struct hd_inverted *o = &inversion->order[i];
        const struct hd_inverted *next = &inversion->order[(i + 1) % inversion->n];
        struct hd_place at = hd_program_site(in->file, o->site);
        struct hd_place since = hd_program_site(in->file, o->held_site);
        hd_str_clear(&name);
        hd_name_thread(&name, threads, o->thread);
        hd_str_append(out, i ? ",\n     {\"thread\": " : "{\"thread\": ");
        hd_json_string(out, name.text);
        hd_str_clear(&name);
        hd_object_name(&name, &next->held, 0, threads, in->file);
        hd_str_append(out, ", \"lock\": ");
        hd_json_string(out, name.text);
        hd_str_append(out, ", \"location\": ");
        location(out, &at);
        hd_str_clear(&name);
        hd_object_name(&name, &o->held, 0, threads, in->file);
        hd_str_append(out, ", \"held\": ");
        hd_json_string(out, name.text);
        hd_str_append(out, ", \"held_location\": ");
        location(out, &since);
        hd_str_append_char(out, '}');
    }
    hd_str_append_char(out, ']');
    hd_str_release(&name);
}

static void inversions(struct hd_str *out, const struct hd_report *in)
{
    key(out, "lock_inversions");
    hd_str_append_char(out, '[');
    for (uint32_t i = 0; i < in->result->n_inversions; i++) {
        hd_str_append(out, i ? ",\n    " : "\n    ");
        inversion(out, in, &in->result->inversions[i]);
    }
    hd_str_append_char(out, ']');
}

/* The phases of `auto`: the search that decided, and all of them. */
static void phases(struct hd_str *out, const struct hd_result *result)
{
    if (result->n_phases == 0)
        return;
    text_field(out, "decided_by", result->phases[result->decided_by].name);
    key(out, "phases");
    for (uint32_t i = 0; i < result->n_phases; i++) {
        const struct hd_phase *p = &result->phases[i];
        hd_str_append(out, i ? ",\n    {\"strategy\": " : "[\n    {\"strategy\": ");
        hd_json_string(out, p->name);
        hd_str_appendf(
            out,
            ", \"executions\": %llu, \"blocked\": %llu, \"pruned\": %llu, "
            "\"bounded\": %llu, \"events\": %llu, \"seconds\": %.6f}",
            (unsigned long long)p->counters.executions, (unsigned long long)p->counters.blocked,
            (unsigned long long)p->counters.pruned, (unsigned long long)p->counters.bounded,
            (unsigned long long)p->counters.events, p->seconds);
    }
    hd_str_append_char(out, ']');
}

static void rounds(struct hd_str *out, const struct hd_rounds *r)
{
    if (r->n == 0)
        return;
    key(out, "slice_n_dice");
    hd_str_appendf(out, "{\"rounds\": %u, \"threads\": %u, \"places\": %u, \"fixpoint\": %s}",
                   r->n, r->threads, r->places, r->fixpoint ? "true" : "false");
}

static void strings(struct hd_str *out, const char *name, const struct hd_strs *list)
{
    key(out, name);
    hd_str_append_char(out, '[');
    for (size_t i = 0; i < list->n; i++) {
        hd_str_append(out, i ? ", " : "");
        hd_json_string(out, list->items[i]);
    }
    hd_str_append_char(out, ']');
}

/* The traces of earlier checks that were run before the search. */
static void earlier_traces(struct hd_str *out, const struct hd_earlier *earlier)
{
    if (!earlier || !(earlier->n_tried || earlier->skipped.n))
        return;
    key(out, "earlier");
    hd_str_appendf(out, "{\"tried\": %u, \"skipped\": %zu, \"found\": [", earlier->n_tried,
                   earlier->skipped.n);
    for (size_t i = 0; i < earlier->found.n; i++) {
        hd_str_append(out, i ? ", " : "");
        hd_json_string(out, earlier->found.items[i]);
    }
    hd_str_append(out, "]}");
}

/* A section of a mutex: which lock of which thread it begins with. */
static void section(struct hd_str *out, uint64_t object)
{
    uint32_t number = HD_PART_NUMBER(object);
    hd_str_appendf(out, "{\"thread\": %u, \"lock\": %u}", number / (HD_PART_SECTIONS + 1),
                   number % (HD_PART_SECTIONS + 1));
}

/* --finer locks: what was found out, and how often the search began again for it. */
static void lock_parts(struct hd_str *out, const struct hd_lock_parts *parts)
{
    const char *comma[2] = { "", "" };
    key(out, "lock_parts");
    hd_str_appendf(out, "{\"rounds\": %u, \"all_whole\": %s, \"whole\": [", parts->rounds,
                   parts->whole ? "true" : "false");
    for (uint32_t joins = 0; joins < 2; joins++) {
        for (uint32_t i = 0; i < HD_LOCK_PARTS; i++) {
            const struct hd_lock_part *row = &parts->rows[i];
            if (!row->object || (row->object != row->with) != joins)
                continue;
            hd_str_appendf(out, "%s%s\"%#llx\"", comma[joins], joins ? "{\"mutex\": " : "",
                           (unsigned long long)HD_PART_MUTEX(row->object));
            comma[joins] = ", ";
            if (!joins)
                continue;
            hd_str_append(out, ", \"section\": ");
            section(out, row->object);
            hd_str_append(out, ", \"with\": ");
            section(out, row->with);
            hd_str_append(out, "}");
        }
        hd_str_append(out, joins ? "]}" : "], \"joined\": [");
    }
}

void hd_json_result(struct hd_str *out, const struct hd_report *in)
{
    const struct hd_result *result = in->result;
    opening(out, in->version, in->program);
    text_field(out, "verdict", hd_verdict_text(in->summary->verdict));
    key(out, "exhaustive");
    hd_str_append(out, in->summary->exhaustive ? "true" : "false");
    text_field(out, "strategy", in->strategy);
    text_field(out, "memory_model", hd_memory_text(in->summary->memory));
    phases(out, result);
    rounds(out, &result->rounds);
    earlier_traces(out, in->earlier);
    counters(out, &result->counters);
    if (!result->counters.finished && hd_result_explored(result) > 0) {
        key(out, "explored");
        hd_str_appendf(out, "%.6g", hd_result_explored(result));
    }
    number_field(out, "threads", result->n_threads);
    number_field(out, "workers", result->n_workers);
    number_field(out, "worker_starts", result->n_starts);
    if (result->options.symmetric)
        number_field(out, "interchangeable_threads", result->counters.alike);
    if (result->options.finer & HD_FINER_LOCKS && result->parts)
        lock_parts(out, result->parts);
    if (*result->alone.text)
        text_field(out, "one_worker", result->alone.text);
    if (*result->told_apart.text)
        text_field(out, "told_apart", result->told_apart.text);
    if (in->summary->mistaken > 0) {
        key(out, "state_collision_bound");
        hd_str_appendf(out, "%.3g", in->summary->mistaken);
    }
    seconds_field(out, "seconds", result->seconds);
    seconds_field(out, "compile_seconds", in->compile_seconds);
    number_field(out, "peak_rss_kb", result->peak_rss_kb);
    strings(out, "downgrades", &in->summary->downgrades);
    strings(out, "undischarged", &in->summary->undischarged);
    strings(out, "assumptions", &in->summary->assumptions);
    text_field(out, "races", hd_races_text(in->summary->races));
    text_field(out, "livelocks", in->summary->no_livelocks ? "off" : "error");
    runs(out, in, "violations", false);
    runs(out, in, "warnings", true);
    inversions(out, in);
    hd_str_append(out, "\n}\n");
}

void hd_json_error(struct hd_str *out, const char *version, const char *program,
                   const char *message)
{
    opening(out, version, program);
    text_field(out, "verdict", "error");
    text_field(out, "message", message);
    hd_str_append(out, "\n}\n");
}
