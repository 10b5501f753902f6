#include "report/verdict.h"

#include <stdlib.h>
#include <string.h>

const char *hd_verdict_text(enum hd_verdict verdict)
{
    static const char *const texts[] = {
        [HD_VERIFIED] = "verified",
        [HD_VIOLATION] = "violation",
        [HD_NONE_FOUND] = "no-violation-found",
    };
    return texts[verdict];
}

const char *hd_races_text(enum hd_race_policy races)
{
    static const char *const texts[] = {
        [HD_RACES_OFF] = "off", [HD_RACES_WARN] = "warn", [HD_RACES_ERROR] = "error"
    };
    return texts[races];
}

static void stopped(struct hd_strs *why, const struct hd_result *result, double seconds)
{
    unsigned long long executions = result->counters.executions;
    if (result->options.search >= HD_SEARCH_RANDOM && result->options.search <= HD_SEARCH_POS)
        executions += result->counters.bounded;
    if (result->n_phases)
        executions = 0;
    for (uint32_t i = 0; i < result->n_phases; i++)
        executions += result->phases[i].counters.executions;
    switch (result->stop) {
    case HD_STOP_FINISHED:
        break;
    case HD_STOP_VIOLATION:
        hd_strs_add(why, "stopped at the first violation (--keep-going explores on)");
        break;
    case HD_STOP_TIME:
        hd_strs_addf(why, "stopped after %g seconds (--time)", seconds);
        break;
    case HD_STOP_EXECUTIONS:
        hd_strs_addf(why, "stopped after %llu executions (--executions)", executions);
        break;
    case HD_STOP_WORK:
        hd_strs_addf(why, "stopped after %llu executions", executions);
        break;
    case HD_STOP_INTERRUPTED:
        hd_strs_addf(why, "interrupted after %llu executions", executions);
        break;
    case HD_STOP_DAMAGED:
        hd_strs_add(why, "stopped where the program wrote into heddle's memory");
        break;
    }
    double explored = result->counters.explored;
    bool cut = result->stop == HD_STOP_TIME || result->stop == HD_STOP_EXECUTIONS ||
               result->stop == HD_STOP_INTERRUPTED;
    if (cut && explored > 0 && explored < 0.995) /* one that rounds to everything says nothing */
        hd_strs_addf(why, "by an estimate that was about %.2g %% of all executions%s",
                     100 * explored, result->counters.begun_before ? " of this bound" : "");
    if (result->n_lost)
        hd_strs_addf(why, "%u more distinct violations were found than can be kept",
                     result->n_lost);
}

/* The places of up to four sites, each once. */
static struct hd_str places(const uint32_t sites[4], const struct hd_program *program)
{
    struct hd_str lines;
    hd_str_init(&lines);
    for (uint32_t i = 0; i < 4 && sites[i]; i++) {
        struct hd_place at = hd_program_site(program, sites[i]);
        char *place = hd_str_format("%s:%u", at.file, at.line);
        if (at.line && !(lines.length && strstr(lines.text, place)))
            hd_str_appendf(&lines, "%s%s", lines.length ? ", " : "", place);
        free(place);
    }
    return lines;
}

/* A thread that only looks, and lets time pass, was stopped. */
static void stopped_polling(struct hd_strs *why, const struct hd_counters *cnt, uint32_t polls,
                            const struct hd_program *program)
{
    struct hd_str lines = places(cnt->polled, program);
    hd_strs_addf(
        why,
        "a thread that lets time pass and finds nothing new was let do so %u time%s in a row "
        "(--polls)%s%s",
        polls, polls == 1 ? "" : "s", lines.length ? ", in a loop at " : "",
        lines.length ? lines.text : "");
    hd_str_release(&lines);
}

/* Can a search that stops at states it has met do better?  Not where states are unknown, nor where
 * one has come to the bound as well. */
static bool states_may_help(const struct hd_result *result, const struct hd_options *options)
{
    bool tried = options->filters & (HD_FILTER_STATES | HD_FILTER_NOT_SEEN);
    for (uint32_t i = 0; i < result->n_phases; i++)
        tried = tried || (strcmp(result->phases[i].name, "stateful") == 0 &&
                          result->phases[i].counters.depth_reached);
    return !tried && options->search == HD_SEARCH_DFS && result->counters.opaque == 0;
}

/* The lines that were repeated when an execution was cut. */
static void cut_after(struct hd_strs *why, const struct hd_result *result,
                      const struct hd_options *options, const struct hd_program *program)
{
    struct hd_str lines = places(result->counters.repeated, program);
    hd_strs_addf(why, "executions were cut after %u steps (--depth)%s%s%s", options->depth,
                 lines.length ? ", in a loop at " : "", lines.length ? lines.text : "",
                 lines.length && states_may_help(result, options)
                     ? "; --strategy stateful ends where a state comes again"
                     : "");
    hd_str_release(&lines);
}

/* Did a step break the program, so that nothing came behind it? */
static bool broken(const struct hd_result *result)
{
    bool any = false;
    for (uint32_t i = 0; i < result->n_runs; i++)
        any = any || (result->runs[i].finding.kind != HD_KIND_DATA_RACE &&
                      result->runs[i].finding.kind != HD_KIND_DEADLOCK);
    return any;
}

static void bounded(struct hd_strs *why, const struct hd_result *result,
                    const struct hd_options *options, const struct hd_program *program)
{
    const struct hd_counters *cnt = &result->counters;
    bool cut = cnt->depth_reached || cnt->preemption_reached;
    if (options->search >= HD_SEARCH_BEST_FIRST)
        hd_strs_add(why, "a guided search that finds nothing proves nothing (completeness not "
                         "proven)");
    else if (options->search != HD_SEARCH_DFS)
        hd_strs_add(why, "random walks never cover everything for certain");
    if (result->rounds.fixpoint)
        hd_strs_add(why, "slice-n-dice fixpoint; completeness not proven");
    else if (options->filters & HD_FILTER_DICE)
        hd_strs_addf(why, "%u of %u threads were interleaved, at %u places (slice-n-dice)",
                     result->rounds.threads, result->rounds.of_threads, result->rounds.places);
    if (cnt->states_dropped)
        hd_strs_addf(why, "%llu states were not gone on from (--queue)",
                     (unsigned long long)cnt->states_dropped);
    if (cnt->depth_reached)
        cut_after(why, result, options, program);
    if (cnt->polled[0])
        stopped_polling(why, cnt, options->polls, program);
    if (cnt->preemption_reached)
        hd_strs_addf(why, "executions with more than %u preemption%s were not explored",
                     options->preemptions, options->preemptions == 1 ? "" : "s");
    if (cnt->delay_reached)
        hd_strs_addf(why, "executions with more than %u delay%s were not explored",
                     options->delays, options->delays == 1 ? "" : "s");
    uint32_t ignorant = HD_FILTER_SLEEP | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL |
                        HD_FILTER_OBSERVERS;
    if ((cut && options->filters & ignorant) ||
        (cnt->depth_reached && options->filters & HD_FILTER_DPOR))
        hd_strs_addf(why,
                     "the reduction does not know what the bound cut off: executions within the "
                     "bound may be missing too%s",
                     cnt->depth_reached ? "" : " (--reduce dpor misses none)");
    if (cnt->invariants &&
        options->filters & (HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL))
        hd_strs_add(why,
                    "of steps that commute one order was tried, and an invariant may be broken "
                    "between them in the other: --strategy stateful looks at every state");
    if (options->no_timeouts)
        hd_strs_add(why, "timed waits did not time out (--no-timeouts)");
    if (cnt->nondet_cut)
        hd_strs_addf(why,
                     "values of __VERIFIER_nondet outside %lld..%lld were not tried (--nondet)",
                     (long long)options->nondet.low, (long long)options->nondet.high);
    if (cnt->faults_reached)
        hd_strs_addf(why, "executions with more than %u fault%s were not explored (--faults)",
                     options->faults.most, options->faults.most == 1 ? "" : "s");
    if (cnt->last_runs_handlers &&
        options->filters & ~(uint32_t)(HD_FILTER_TRACES | HD_FILTER_DEPTH))
        hd_strs_add(why,
                    "main ends with pthread_exit, so the thread that ends last runs the exit "
                    "handlers; which one that is was not varied (--reduce none does)");
    if (cnt->faults_skipped)
        hd_strs_add(why, "calls inside atomic sections did not fail (--faults)");
    if (cnt->reuse_left_out)
        hd_strs_add(why, "pointers to freed memory were compared, and no address came back from "
                         "malloc (--reuse off)");
    if (cnt->reuse_skipped)
        hd_strs_add(why, "no address came back from malloc inside atomic sections (--reuse)");
    if (options->filters & HD_FILTER_STATES && options->state_store == HD_STORE_BITS)
        hd_strs_add(why, "states were recognised by four bits each (--bitstate)");
    if (options->symmetric)
        hd_strs_add(
            why, "threads with the same function and argument were taken for interchangeable: a "
                 "program that computes with addresses can tell them apart, and some livelocks "
                 "are not seen (--symmetric)");
    if (cnt->cycles_unknown && !options->no_livelocks)
        hd_strs_add(why,
                    "livelocks were not looked for to the end: too many threads, or too many "
                    "states that lead back to each other");
    if (cnt->loops_cut)
        hd_strs_add(why,
                    "loops that wait were cut after a turn that changed nothing; whether they "
                    "end was not looked at (local-cycle; --strategy stateful does)");
    if (options->filters & HD_FILTER_NOT_SEEN_HASH)
        hd_strs_add(why, "states were recognised by their hash alone (not-seen:hash)");
    if (options->filters & HD_FILTER_SUPER_STEP_THESIS)
        hd_strs_add(why, "super-step:thesis misses behaviours together with not-seen");
    if (options->races != HD_RACES_OFF && broken(result) &&
        options->filters & (HD_FILTER_SUPER_STEP | HD_FILTER_SUPER_STEP_THESIS))
        hd_strs_add(why, "super-step may miss data races of steps that break the program");
    if (options->races != HD_RACES_OFF && options->filters & HD_FILTER_SUPER_STEP &&
        options->filters & HD_FILTER_STATES)
        hd_strs_add(why, "super-step may miss data races together with states: look for them "
                         "with another strategy, and switch them off here (--races off)");
    if (options->filters & HD_FILTER_SHARED)
        hd_strs_add(why,
                    "threads were tried only where something was known to be shared: what comes "
                    "before a second thread's first access is missed (shared)");
    if (options->filters & (HD_FILTER_HYBRID_HR | HD_FILTER_HR | HD_FILTER_HR_FIELDS))
        hd_strs_add(why,
                    "what threads can reach was found by following pointers; one that is kept "
                    "in disguise is not seen (hr, hr-fields, hybrid:hr)");
    if (options->filters & HD_FILTER_LIKE_SCALE)
        hd_strs_add(why, "accesses of stacks were taken for private (--count-like-scale)");
}

static void left_out(struct hd_strs *why, uint32_t what)
{
    static const char *const texts[] = {
        "munmap of a part of a mapping, other than its end, left the part as it was",
        "memory that mmap or mprotect protects could be read and written all the same",
        "madvise left memory that was given up as it was",
        "threads did not run on the stacks that pthread_attr_setstack gave them",
        "the program reads a file that it writes, and what an execution wrote there is not undone",
    };
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (what & 1u << i)
            hd_strs_add(why, texts[i]);
}

/* What a search for places does not see.  That one thread stands somewhere is told by its own step
 * before, which every reduction keeps; that several do at the same time is not. */
static void guided(struct hd_strs *why, const struct hd_options *options,
                   const struct hd_route *route)
{
    uint32_t whole = HD_FILTER_TRACES | HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS |
                     HD_FILTER_NOT_SEEN | HD_FILTER_NOT_SEEN_HASH;
    if (route->n_targets > 1 && options->filters & ~whole)
        hd_strs_add(why,
                    "the reduction leaves out states in which threads stand at several targets "
                    "at once (--strategy scale:nsb keeps them)");
    if (route->n_targets && route->atomic)
        hd_strs_add(why, "places inside atomic sections are not noticed (--target)");
}

static void unseen(struct hd_strs *why, const struct hd_program *program)
{
    const struct hd_program_info *info = hd_program_info(program);
    if (info->n_externals) {
        struct hd_str names;
        hd_str_init(&names);
        for (uint32_t i = 0; i < info->n_externals && i < 20; i++)
            hd_str_appendf(&names, "%s%s", i ? ", " : "", hd_program_external(program, i));
        if (info->n_externals > 20)
            hd_str_appendf(&names, " and %u more", info->n_externals - 20);
        hd_strs_addf(why,
                     "the program has calls of functions whose effects heddle does not know: %s",
                     names.text);
        hd_str_release(&names);
    }
    if (info->weak_atomics)
        hd_strs_addf(why,
                     "atomic operations weaker than seq_cst (%u of them) were explored as "
                     "sequentially consistent",
                     info->weak_atomics);
    if (info->inline_asm)
        hd_strs_addf(why, "inline assembly (%u times) may touch memory unseen", info->inline_asm);
}

/* Of n prints of 128 bits two are the same: at most n² / 2^129, were they random. */
static double mistaken(const struct hd_result *result, const struct hd_options *options)
{
    double n = (double)result->counters.states;
    bool prints = options->filters & HD_FILTER_STATES && options->state_store == HD_STORE_PRINTS;
    return prints ? n * n / 6.8e38 : 0;
}

void hd_summary_init(struct hd_summary *summary, const struct hd_result *result,
                     const struct hd_options *options, const struct hd_route *route,
                     double seconds, const struct hd_program *program)
{
    hd_strs_init(&summary->downgrades);
    stopped(&summary->downgrades, result, seconds);
    bounded(&summary->downgrades, result, options, program);
    if (route)
        guided(&summary->downgrades, options, route);
    unseen(&summary->downgrades, program);
    left_out(&summary->downgrades, result->counters.left_out);
    summary->mistaken = mistaken(result, options);
    if (hd_result_violations(result) < result->n_runs)
        hd_strs_add(&summary->downgrades, "the program has data races (--races warn): what the "
                                          "compiler and the machine make of it is not explored");
    summary->exhaustive = result->counters.finished && summary->downgrades.n == 0;
    summary->verdict = hd_result_violations(result) ? HD_VIOLATION
                       : summary->exhaustive        ? HD_VERIFIED
                                                    : HD_NONE_FOUND;
    summary->races = options->races;
    summary->no_livelocks = options->no_livelocks;
}

void hd_summary_release(struct hd_summary *summary) { hd_strs_release(&summary->downgrades); }
