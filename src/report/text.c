#include "report/text.h"

#include "base/number.h"
#include "base/shown.h"
#include "base/str.h"
#include "report/cause.h"
#include "report/explain_order.h"
#include "report/lin_calls.h"
#include "report/name.h"
#include "report/object.h"
#include "report/race_log.h"
#include "report/stack.h"
#include "report/stale.h"
#include "report/step.h"

#include <stdlib.h>
#include <string.h>

const char *hd_kind_words(uint32_t kind)
{
    static const char *const words[HD_KIND_COUNT] = {
        [HD_KIND_NONE] = "violation",
        [HD_KIND_ASSERTION] = "an assertion fails",
        [HD_KIND_DEADLOCK] = "deadlock",
        [HD_KIND_DATA_RACE] = "data race",
        [HD_KIND_CRASH] = "the program crashes",
        [HD_KIND_INVARIANT] = "an invariant is broken",
        [HD_KIND_LIVELOCK] = "livelock",
        [HD_KIND_MEMORY] = "memory error",
        [HD_KIND_MISUSE] = "misuse",
        [HD_KIND_TARGET] = "the target is reached",
        [HD_KIND_ABORT] = "the program gives up",
        [HD_KIND_NO_PROGRESS] = "no progress",
        [HD_KIND_OBJECTION] = "the checker objects",
    };
    return words[kind < HD_KIND_COUNT ? kind : HD_KIND_NONE];
}

/* Was the program stopped after a time, so that it may only have been slow? */
static bool is_limit(const struct hd_finding *f)
{
    return f->kind == HD_KIND_NO_PROGRESS && !f->site;
}

/* The thread that the first one of a data race is next to. */
static void other_half(struct hd_str *line, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_standing *s = &run->finding.standings[1];
    uint32_t stack;
    struct hd_place place = hd_step_standing(s, run, program, &stack);
    hd_str_append(line, "\n  and ");
    hd_name_thread(line, &run->threads, s->thread);
    if (place.line) {
        hd_str_append(line, " at ");
        hd_step_where(line, &place);
    }
    if (*place.function)
        hd_str_appendf(line, " (%s)", place.function);
    hd_stack_words(line, run, program, stack, "\n      ");
    hd_str_append(line, "\n  nothing puts one of the two accesses before the other");
}

void hd_text_headline(const struct hd_terminal *text, const struct hd_run *run,
                      struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    uint32_t thread;
    struct hd_place place = hd_step_place(run, program, &thread);
    struct hd_str line;
    hd_str_init(&line);
    hd_str_appendf(&line, "%s%s%s%s: %s\n", hd_terminal_bad(text),
                   run->warning ? "warning: " : "", hd_kind_words(f->kind),
                   hd_terminal_plain(text), f->message);
    hd_str_append(&line, "  in ");
    hd_name_thread(&line, &run->threads, thread);
    if (hd_lin_calls_around(&place))
        place = (struct hd_place){ .function = "" };
    if (place.line) {
        hd_str_append(&line, " at ");
        hd_step_where(&line, &place);
    }
    if (*place.function)
        hd_str_appendf(&line, " (%s)", place.function);
    hd_stack_words(&line, run, program, hd_step_stack(run, program), "\n      ");
    if (f->kind == HD_KIND_DATA_RACE)
        other_half(&line, run, program);
    if (is_limit(f))
        hd_str_append(&line, "\n  (this is a limit and no proof: a larger --hang allows more)");
    hd_terminal_print(text, line.text);
    hd_str_release(&line);
}

static bool waits_for_ever(const struct hd_run *run)
{
    return run->finding.kind == HD_KIND_DEADLOCK || run->finding.kind == HD_KIND_LIVELOCK;
}

void hd_text_standings(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    for (uint32_t i = 0; waits_for_ever(run) && i < f->n_standings; i++)
        if (f->standings[i].op != HD_OP_NONE) {
            hd_str_append_char(out, '\n');
            hd_text_standing(out, &f->standings[i], run, program);
        }
}

/* False: there is nothing to print. */
static bool standings(const struct hd_terminal *text, const struct hd_run *run,
                      struct hd_program *program)
{
    struct hd_str lines;
    hd_str_init(&lines);
    for (uint32_t i = 0; i < run->finding.n_standings; i++)
        if (run->finding.standings[i].op != HD_OP_NONE &&
            !hd_lin_calls_joins(&run->finding.standings[i], program)) {
            hd_str_append(&lines, "  ");
            hd_text_standing(&lines, &run->finding.standings[i], run, program);
            hd_str_append_char(&lines, '\n');
        }
    if (lines.length)
        hd_terminal_print(text, lines.text);
    bool any = lines.length != 0;
    hd_str_release(&lines);
    return any;
}

void hd_text_brief(const struct hd_terminal *text, const struct hd_run *run,
                   struct hd_program *program)
{
    hd_text_headline(text, run, program);
    if (waits_for_ever(run))
        standings(text, run, program);
}

/* The interleaving, with the two accesses of a race at its end, side by side. */
static void columns(const struct hd_terminal *text, const struct hd_run *run,
                    struct hd_program *program)
{
    if (run->finding.kind != HD_KIND_DATA_RACE) {
        hd_text_columns(text, run, program);
        return;
    }
    uint32_t at[2];
    struct hd_run longer = hd_race_log(run, at);
    hd_text_columns(text, &longer, program);
    free(longer.log);
}

void hd_text_origin(struct hd_str *line, const struct hd_origin *o, const struct hd_run *run,
                    struct hd_program *program)
{
    struct hd_place at = hd_program_site(program, o->site);
    hd_str_append(line, o->what == HD_ORIGIN_MADE ? "allocated by " : "freed by ");
    hd_name_thread(line, &run->threads, o->thread);
    if (at.line) {
        hd_str_append(line, " at ");
        hd_step_where(line, &at);
    }
    if (*at.function)
        hd_str_appendf(line, " (%s)", at.function);
}

static void origins(const struct hd_terminal *text, const struct hd_run *run,
                    struct hd_program *program)
{
    struct hd_str lines;
    hd_str_init(&lines);
    for (uint32_t i = 0; i < run->finding.n_origins; i++) {
        hd_str_append(&lines, "  ");
        hd_text_origin(&lines, &run->finding.origins[i], run, program);
        hd_str_append_char(&lines, '\n');
    }
    if (lines.length) {
        hd_terminal_print(text, lines.text);
        fputc('\n', text->out);
    }
    hd_str_release(&lines);
}

void hd_text_violation(const struct hd_terminal *text, const struct hd_run *run,
                       struct hd_program *program)
{
    struct hd_run shown = hd_lin_calls_shown(run, program);
    hd_text_headline(text, run, program);
    fputc('\n', text->out);
    if (waits_for_ever(run) && standings(text, run, program))
        fputc('\n', text->out);
    if (run->finding.kind != HD_KIND_DATA_RACE) /* of those the message says it */
        origins(text, run, program);
    columns(text, &shown, program);
    hd_causes_text(text, run, program);
    hd_explain_order_text(text, &shown, program);
    free(shown.stale);
}

/* The program's output from one byte to another, every line of it marked. */
static void output(const struct hd_terminal *text, const char *bytes, uint32_t from, uint32_t to)
{
    while (from < to) {
        const char *stop = memchr(bytes + from, '\n', to - from);
        uint32_t end = stop ? (uint32_t)(stop - bytes) : to;
        fprintf(text->out, "      %s|%s ", hd_terminal_bold(text), hd_terminal_plain(text));
        struct hd_str line; /* the program's output must not control the terminal */
        hd_str_init(&line);
        hd_shown_lines(&line, bytes + from, end - from);
        fprintf(text->out, "%s\n", line.text);
        hd_str_release(&line);
        from = stop ? end + 1 : end;
    }
}

/* Below a stale step of the list. */
static void stale_line(const struct hd_terminal *text, const struct hd_run *run,
                       const struct hd_step *step, const struct hd_program *program)
{
    const struct hd_stale *stale = hd_run_stale(run, step);
    struct hd_str line;
    if (!stale)
        return;
    hd_str_init(&line);
    hd_stale_words(&line, stale, run, program);
    fprintf(text->out, "               %s%s%s\n", hd_terminal_bold(text), line.text,
            hd_terminal_plain(text));
    hd_str_release(&line);
}

/* "    3 > T1       a.c:9 work                    write x = 1" */
static void step_line(struct hd_str *line, uint32_t i, const struct hd_run *run,
                      struct hd_program *program, const struct hd_lin_calls *calls)
{
    const struct hd_step *step = &run->log[i];
    struct hd_place place = hd_step_at(step, run, program, NULL);
    hd_str_appendf(line, "%5u %c ", i + 1, step->flags & HD_STEP_PREEMPTION ? '>' : ' ');
    hd_name_thread(line, &run->threads, step->thread);
    while (line->length < 14)
        hd_str_append_char(line, ' ');
    hd_str_append_char(line, ' ');
    if (hd_lin_calls_words(line, calls, i))
        return;
    size_t column = line->length;
    hd_step_where(line, &place);
    if (*place.function)
        hd_str_appendf(line, " %s", place.function);
    while (line->length < column + 32)
        hd_str_append_char(line, ' ');
    hd_str_append(line, "  ");
    hd_step_what(line, step, run, program);
}

void hd_text_steps(const struct hd_terminal *text, const struct hd_run *run,
                   struct hd_program *program)
{
    struct hd_str line;
    struct hd_lin_calls calls;
    struct hd_lin_output own;
    struct hd_run shown = hd_lin_calls_shown(run, program);
    uint32_t printed = 0;
    hd_str_init(&line);
    hd_lin_calls_init(&calls, run, program);
    hd_lin_output_init(&own, &calls, run);
    for (uint32_t i = 0; i < run->n_log; i++) {
        uint32_t end = own.cut[run->log[i].output_end];
        if (hd_lin_calls_role(&calls, i) != HD_LIN_HIDDEN) {
            hd_str_clear(&line);
            step_line(&line, i, run, program, &calls);
            fprintf(text->out, "%s\n", line.text);
            stale_line(text, &shown, &run->log[i], program);
        }
        output(text, own.text.text, printed, end);
        printed = end > printed ? end : printed;
    }
    output(text, own.text.text, printed, (uint32_t)own.text.length);
    hd_lin_output_release(&own);
    hd_lin_calls_release(&calls);
    free(shown.stale);
    hd_str_release(&line);
}

static void count(struct hd_str *out, const char *before, uint64_t n, const char *what)
{
    char number[HD_NUMBER_TEXT];
    hd_str_appendf(out, "%s%s %s%s", before, hd_number_grouped(n, number), what,
                   n == 1 ? "" : "s");
}

/* ", 12 blocked", unless there is none. */
static void count_some(struct hd_str *out, uint64_t n, const char *what)
{
    char number[HD_NUMBER_TEXT];
    if (n)
        hd_str_appendf(out, ", %s %s", hd_number_grouped(n, number), what);
}

/* Executions: of all searches, and of the one whose verdict it is. */
static void count_executions(struct hd_str *text, const struct hd_result *result)
{
    uint64_t all = 0, decided = result->counters.executions;
    char number[HD_NUMBER_TEXT];
    for (uint32_t i = 0; i < result->n_phases; i++)
        all += result->phases[i].counters.executions;
    if (result->n_phases < 2 || all <= decided) {
        count(text, "  ", decided, "execution");
        return;
    }
    count(text, "  ", all, "execution");
    hd_str_appendf(text, " in all (%s by the search that decided)",
                   hd_number_grouped(decided, number));
}

/* The steps of the longest run: an execution, or what a violation was minimised to, which has
 * fewer preemptions but may have more steps. */
static uint64_t longest(const struct hd_result *result)
{
    uint64_t most = result->counters.max_depth;
    for (uint32_t i = 0; i < result->n_runs; i++) {
        uint64_t steps = hd_run_steps(&result->runs[i]);
        most = steps > most ? steps : most;
    }
    return most;
}

static void counts(const struct hd_terminal *text, const struct hd_result *result)
{
    const struct hd_counters *c = &result->counters;
    struct hd_str line;
    hd_str_init(&line);
    count_executions(&line, result);
    count_some(&line, c->blocked, "blocked");
    count_some(&line, c->pruned, "pruned");
    count_some(&line, c->bounded, "bounded");
    count_some(&line, c->assumed,
               hd_notes_any(&result->notes, HD_NOTE_THREADS) ? "cut before a thread too many"
                                                             : "against an assumption");
    count(&line, ", ", c->events, "event");
    count(&line, ", at most ", longest(result), "scheduled step");
    count(&line, " and ", result->n_threads, "thread");
    hd_str_appendf(&line, ", in %.2f s\n", result->seconds);
    if (c->traces) {
        count(&line, "  ", c->traces, "different trace");
        hd_str_append_char(&line, '\n');
    }
    if (c->observations) {
        count(&line, "  ", c->observations, "different observation");
        hd_str_append_char(&line, '\n');
    }
    if (c->states_forgotten) {
        count(&line, "  ", c->states_forgotten, "state");
        hd_str_appendf(&line, " forgotten for want of room, and explored again if met again\n");
    }
    hd_terminal_print(text, line.text);
    hd_str_release(&line);
}

void hd_text_inversions(const struct hd_terminal *text, const struct hd_result *result,
                        struct hd_program *program)
{
    struct hd_str line;
    hd_str_init(&line);
    for (uint32_t i = 0; i < result->n_inversions; i++) {
        const struct hd_inversion *inversion = &result->inversions[i];
        hd_str_appendf(&line,
                       "%swarning:%s locks are taken in orders that can end in a deadlock\n",
                       hd_terminal_bold(text), hd_terminal_plain(text));
        for (uint32_t k = 0; k < inversion->n; k++) {
            const struct hd_inverted *o = &inversion->order[k];
            struct hd_place at = hd_program_site(program, o->site);
            struct hd_place since = hd_program_site(program, o->held_site);
            hd_str_append(&line, "  ");
            hd_name_thread(&line, &result->threads, o->thread);
            hd_str_append(&line, " takes ");
            hd_object_name(&line, &inversion->order[(k + 1) % inversion->n].held, 0,
                           &result->threads, program);
            hd_str_append(&line, " at ");
            hd_step_where(&line, &at);
            hd_str_append(&line, " while it holds ");
            hd_object_name(&line, &o->held, 0, &result->threads, program);
            hd_str_append(&line, " since ");
            hd_step_where(&line, &since);
            hd_str_append_char(&line, '\n');
        }
    }
    if (line.length) {
        hd_terminal_print(text, line.text);
        fputc('\n', text->out);
    }
    hd_str_release(&line);
}

/* Is every violation relative to a limit? */
static bool only_limits(const struct hd_result *result)
{
    for (uint32_t i = 0; i < result->n_runs; i++)
        if (!result->runs[i].warning && !is_limit(&result->runs[i].finding))
            return false;
    return true;
}

void hd_text_verdict(const struct hd_terminal *text, const struct hd_summary *summary,
                     const struct hd_result *result)
{
    static const char *const words[] = {
        [HD_VERIFIED] = "no interleaving breaks the program",
        [HD_VIOLATION] = "the program can be broken",
        [HD_NONE_FOUND] = "nothing was found; not everything was explored",
    };
    const char *paint = summary->verdict == HD_VERIFIED    ? hd_terminal_good(text)
                        : summary->verdict == HD_VIOLATION ? hd_terminal_bad(text)
                                                           : hd_terminal_bold(text);
    bool fixpoint = summary->verdict == HD_NONE_FOUND && result->rounds.fixpoint;
    bool limit = summary->verdict == HD_VIOLATION && only_limits(result);
    bool weak = summary->verdict == HD_VERIFIED && summary->memory != HD_MEMORY_SC;
    fprintf(text->out, "%s%s%s%s%s%s: %s\n", paint, hd_verdict_text(summary->verdict),
            hd_terminal_plain(text), weak ? " under " : "",
            weak ? hd_memory_text(summary->memory) : "",
            fixpoint ? " (slice-n-dice fixpoint; completeness not proven)" : "",
            weak    ? "no execution breaks the program"
            : limit ? "the program does not go on within the limit (--hang)"
                    : words[summary->verdict]);
    counts(text, result);
    for (size_t i = 0; i < summary->downgrades.n; i++)
        hd_terminal_line(text, "  not exhaustive: %s", summary->downgrades.items[i]);
    for (size_t i = 0; summary->verdict == HD_NONE_FOUND && i < summary->undischarged.n; i++)
        fprintf(text->out, "%s%s%s", i ? ", " : "  what to do: heddle help reason ",
                summary->undischarged.items[i], i + 1 == summary->undischarged.n ? "\n" : "");
    for (size_t i = 0; i < summary->assumptions.n; i++)
        hd_terminal_line(text, "  assuming: %s", summary->assumptions.items[i]);
    if (summary->mistaken > 0)
        hd_terminal_line(text,
                         "  states are known by %u bits: two were taken for one with a "
                         "probability below %.0e",
                         summary->state_bits, summary->mistaken);
    hd_terminal_line(
        text, "  memory model: %s%s%s", hd_memory_text(summary->memory),
        summary->races == HD_RACES_OFF       ? "; data races were not looked for (--races off)"
        : summary->races == HD_RACES_ALLOWED ? "; data races are no violations"
                                             : "",
        summary->no_livelocks ? "; livelocks were not looked for (--livelocks off)" : "");
    if (summary->memory == HD_MEMORY_SC_RF)
        hd_terminal_line(text,
                         "  executions in which each load reads the same store are one, whatever "
                         "the order of other stores");
    if (result->options.finer & HD_FINER_LOCKS)
        hd_terminal_line(text, "  executions that differ in the order of critical sections with "
                               "nothing in common are one");
    bool livelock = false;
    for (uint32_t i = 0; i < result->n_runs; i++)
        livelock = livelock || result->runs[i].finding.kind == HD_KIND_LIVELOCK;
    if (livelock)
        hd_terminal_line(text,
                         "  (a livelock that chance ends, such as that of threads which back off "
                         "from two locks, is accepted with --livelocks off)");
}
