/* The verdict: `verified` where every obligation of obligations.def is shown, and only
 * there. */
#include "report/verdict.h"

#include "report/obligations.h"
#include "supervise/suspects.h"

#include <stdlib.h>

const char *hd_verdict_text(enum hd_verdict verdict)
{
    static const char *const texts[] = {
        [HD_VERIFIED] = "verified",
        [HD_VIOLATION] = "violation",
        [HD_NONE_FOUND] = "no-violation-found",
    };
    return texts[verdict];
}

const char *hd_memory_text(enum hd_memory memory)
{
    switch (memory) {
    case HD_MEMORY_RC11:
    case HD_MEMORY_RC11_PLAIN:
        return "C11 (RC11)";
    case HD_MEMORY_TSO:
        return "x86 (TSO)";
    default:
        return "sequential consistency";
    }
}

const char *hd_races_text(enum hd_race_policy races)
{
    static const char *const texts[] = {
        [HD_RACES_OFF] = "off",
        [HD_RACES_WARN] = "warn",
        [HD_RACES_ERROR] = "error",
        [HD_RACES_ALLOWED] = "allowed",
    };
    return texts[races];
}

/* The table that several workers share keeps fewer (explore/jobs/state_table.h). */
static uint32_t state_bits(const struct hd_result *result) { return result->shared ? 112 : 128; }

/* The probability that two of n random fingerprints of b bits are equal: at most n² /
 * 2^(b + 1). */
static double mistaken(const struct hd_result *result, const struct hd_options *options)
{
    double n = (double)result->counters.states;
    bool states = options->filters & HD_FILTER_STATES || options->search == HD_SEARCH_BEST_FIRST;
    bool prints = states && options->state_store == HD_STORE_PRINTS;
    return prints ? n * n / (result->shared ? 1.04e34 : 6.8e38) : 0;
}

static void assume(struct hd_strs *list, const struct hd_evidence *e, enum hd_note_kind kind,
                   const char *what)
{
    if (!hd_notes_any(&e->result->notes, kind))
        return;
    struct hd_str places;
    hd_str_init(&places);
    hd_note_places(&places, &e->result->notes, kind, e->program);
    hd_strs_addf(list, "%s: %s", what, places.text);
    hd_str_release(&places);
}

/* POSIX lets a wait end without a signal. */
static void assume_signals(struct hd_strs *list, const struct hd_evidence *e)
{
    uint32_t most = e->options->spurious;
    char *what =
        most ? hd_str_format("waits that no plain loop repeats end without a signal at most "
                             "%u time%s in each thread (--spurious)",
                             most, most == 1 ? "" : "s")
             : hd_strdup("waits that no plain loop repeats end only when they are signalled, "
                         "although POSIX and C++ allow other wake-ups (--spurious 1 "
                         "explores them)");
    assume(list, e, HD_NOTE_WAIT, what);
    free(what);
}

/* The inputs of a run that do not come from the schedule but from a model. */
static void assumptions(struct hd_strs *list, const struct hd_evidence *e)
{
    assume(list, e, HD_NOTE_WROTE,
           "all memory counts as written after a call of code that heddle does not see, so that "
           "no read of uninitialised memory is reported from there on");
    assume(list, e, HD_NOTE_RANDOM, "random numbers are those of one fixed sequence");
    assume(list, e, HD_NOTE_TIME,
           "the time begins at a fixed moment and passes only where the program waits or looks");
    assume(list, e, HD_NOTE_TICKS, "a periodic timer has expired at most twice when it is read");
    assume(list, e, HD_NOTE_CANCELLED,
           "a thread that is cancelled while it waits does not go on, also if what it waits for "
           "happens as well (--strategy graph explores both)");
    assume(list, e, HD_NOTE_VOLATILE,
           "the compiler and the machine make volatile accesses as atomic ones, loads as acquire "
           "and stores as release (volatile-ok)");
    assume_signals(list, e);
    if (e->options->symmetric && e->result->counters.alike > 1)
        hd_strs_add(list,
                    "no number that the program makes of other things than addresses equals "
                    "an address of the memory of the thread that has it");
    if (e->result->n_threads == 1)
        hd_strs_add(list, HD_ASSUMES_NO_THREAD);
}

void hd_summary_init(struct hd_summary *summary, const struct hd_result *result,
                     const struct hd_options *options, const struct hd_route *route,
                     double seconds, const struct hd_program *program)
{
    struct hd_evidence evidence = { .result = result,
                                    .options = options,
                                    .route = route,
                                    .seconds = seconds,
                                    .program = program,
                                    .filters = hd_filter_table,
                                    .n_filters = HD_N_FILTERS };
    hd_strs_init(&summary->downgrades);
    hd_strs_init(&summary->undischarged);
    hd_strs_init(&summary->assumptions);
    summary->exhaustive = hd_obligations_shown(hd_obligations, hd_n_obligations, &evidence,
                                               &summary->downgrades, &summary->undischarged);
    assumptions(&summary->assumptions, &evidence);
    summary->mistaken = mistaken(result, options);
    summary->state_bits = state_bits(result);
    summary->verdict = hd_result_violations(result) ? HD_VIOLATION
                       : summary->exhaustive        ? HD_VERIFIED
                                                    : HD_NONE_FOUND;
    summary->races = options->races;
    summary->memory = options->memory;
    summary->no_livelocks = options->no_livelocks;
}

void hd_summary_release(struct hd_summary *summary)
{
    hd_strs_release(&summary->downgrades);
    hd_strs_release(&summary->undischarged);
    hd_strs_release(&summary->assumptions);
}
