/* Obligations of the program: what it was allowed to do, and what it did. */
#include "report/obligations.h"

#include "supervise/suppressions.h"
#include "supervise/suspects.h"

#include <stdio.h>
#include <string.h>

static const struct hd_counters *counters(const struct hd_evidence *e)
{
    return &e->result->counters;
}

/* ---- options ---- */

bool hd_oblige_timeouts(const struct hd_evidence *e, struct hd_strs *why)
{
    if (e->options->no_timeouts)
        hd_strs_add(why, "timed waits did not time out (--no-timeouts)");
    return !e->options->no_timeouts;
}

bool hd_oblige_nondet(const struct hd_evidence *e, struct hd_strs *why)
{
    if (counters(e)->nondet_cut)
        hd_strs_addf(why,
                     "values of __VERIFIER_nondet outside %lld..%lld were not tried (--nondet)",
                     (long long)e->options->nondet.low, (long long)e->options->nondet.high);
    return !counters(e)->nondet_cut;
}

bool hd_oblige_faults(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t most = e->options->faults.most;
    if (counters(e)->faults_reached)
        hd_strs_addf(why, "executions with more than %u fault%s were not explored (--faults)",
                     most, most == 1 ? "" : "s");
    if (counters(e)->faults_skipped)
        hd_strs_add(why, "calls inside atomic sections did not fail (--faults)");
    return !counters(e)->faults_reached && !counters(e)->faults_skipped;
}

bool hd_oblige_reuse(const struct hd_evidence *e, struct hd_strs *why)
{
    if (counters(e)->reuse_left_out)
        hd_strs_add(why, "pointers to freed memory were compared, and no address came back from "
                         "malloc (--reuse off)");
    return !counters(e)->reuse_left_out;
}

bool hd_oblige_handlers(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t plain = HD_FILTER_TRACES | HD_FILTER_DEPTH;
    bool varied = !(e->options->filters & ~plain) && e->options->memory == HD_MEMORY_SC;
    if (!counters(e)->last_runs_handlers || varied)
        return true;
    hd_strs_add(why, "main ends with pthread_exit, so the thread that ends last runs the exit "
                     "handlers; which one that is was not varied (--reduce none does)");
    return false;
}

bool hd_oblige_invariants(const struct hd_evidence *e, struct hd_strs *why)
{
    if (!counters(e)->invariants_unsure)
        return true;
    hd_strs_add(why,
                "what an invariant reads changed in a step that is not known to write it, so "
                "orders may be missing: --strategy stateful looks at every state");
    return false;
}

/* That one thread stands at a place follows from its own last step, which every reduction
 * keeps.  That several threads do so at the same time does not. */
bool hd_oblige_targets(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t whole = HD_FILTER_TRACES | HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS |
                     HD_FILTER_NOT_SEEN | HD_FILTER_NOT_SEEN_HASH;
    const struct hd_route *route = e->route;
    if (!route || !route->n_targets)
        return true;
    bool several = route->n_targets > 1 && e->options->filters & ~whole;
    if (several)
        hd_strs_add(why,
                    "the reduction leaves out states in which threads stand at several targets "
                    "at once (--strategy scale:nsb keeps them)");
    if (route->atomic)
        hd_strs_add(why, "places inside atomic sections are not noticed (--target)");
    return !several && !route->atomic;
}

/* ---- races ---- */

/* Did a step break the program, so that nothing came after it? */
static bool broken(const struct hd_result *result)
{
    bool any = false;
    for (uint32_t i = 0; i < result->n_runs; i++)
        any = any || (result->runs[i].finding.kind != HD_KIND_DATA_RACE &&
                      result->runs[i].finding.kind != HD_KIND_DEADLOCK);
    return any;
}

/* What was executed that orders less than an interleaving shows
 * (explore/order/sync_order.h). */
static const char *orders_less(uint32_t what)
{
    return what & HD_LESS_TRY      ? "attempts to lock that failed"
           : what & HD_LESS_SIGNAL ? "signals sent without the mutex"
           : what & HD_LESS_FUTEX  ? "futexes"
           : what & HD_LESS_CLOCK  ? "readings of the clock"
           : what & HD_LESS_MIXED
               ? "compare-exchanges of memory that is also read as plain memory"
               : "atomic operations weaker than seq_cst";
}

/* Where the two accesses are that are not known to be ordered. */
static void append_accesses(struct hd_str *text, const struct hd_evidence *e)
{
    const uint32_t *sites = counters(e)->accesses_apart;
    struct hd_place a = hd_program_site(e->program, sites[0]);
    struct hd_place b = hd_program_site(e->program, sites[1]);
    if (sites[0] && sites[1] && a.line && b.line)
        hd_str_appendf(text,
                       ", such as %s:%u and %s:%u, which no lock and no creation or joining of a "
                       "thread orders",
                       a.file, a.line, b.file, b.line);
}

/* Two executions that such a search takes for one may order accesses differently, unless they
 * are ordered in all executions. */
static void unordered(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t what = counters(e)->orders_less;
    bool states = e->options->filters & HD_FILTER_STATES ||
                  e->options->search == HD_SEARCH_BEST_FIRST;
    bool finer = e->options->finer & ~(uint32_t)HD_FINER_LOCKS; /* which are whole then */
    if (!what || (!states && !finer) || (counters(e)->accesses_ordered && !finer))
        return;
    struct hd_str text;
    hd_str_init(&text);
    hd_str_appendf(&text,
                   "data races that rest on %s were looked for in part only: %s takes executions "
                   "for one that may order accesses differently",
                   orders_less(what), states ? "a search over states" : "--finer");
    append_accesses(&text, e);
    hd_strs_add(why, text.text);
    hd_str_release(&text);
}

bool hd_oblige_races(const struct hd_evidence *e, struct hd_strs *why)
{
    size_t before = why->n;
    uint32_t filters = e->options->filters;
    if (e->options->races == HD_RACES_OFF) {
        hd_strs_add(why,
                    "data races were not looked for (--races off): what the compiler and the "
                    "machine make of one is not explored");
        return false;
    }
    if (broken(e->result) && filters & (HD_FILTER_SUPER_STEP | HD_FILTER_SUPER_STEP_THESIS))
        hd_strs_add(why, "super-step may miss data races of steps that break the program");
    if (filters & HD_FILTER_SUPER_STEP && filters & HD_FILTER_STATES)
        hd_strs_add(why, "super-step may miss data races together with states: look for them "
                         "with another strategy");
    unordered(e, why);
    if (hd_result_violations(e->result) < e->result->n_runs)
        hd_strs_add(why, "the program has data races (--races warn): what the compiler and the "
                         "machine make of it is not explored");
    return why->n == before;
}

static bool same_place(const struct hd_place *a, const struct hd_place *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->variable, b->variable) == 0;
}

/* Is it a race of the same lines and variable as an earlier one of the rule? */
static bool counted(const struct hd_evidence *e, uint32_t which)
{
    const struct hd_note *at = e->result->notes.at, *now = &at[which];
    struct hd_place a = hd_program_site(e->program, now->site);
    struct hd_place b = hd_program_site(e->program, now->other);
    for (uint32_t i = 0; i < which; i++) {
        if (at[i].kind != HD_NOTE_SUPPRESSED || at[i].rule != now->rule)
            continue;
        struct hd_place c = hd_program_site(e->program, at[i].site);
        struct hd_place d = hd_program_site(e->program, at[i].other);
        if ((same_place(&a, &c) && same_place(&b, &d)) ||
            (same_place(&a, &d) && same_place(&b, &c)))
            return true;
    }
    return false;
}

/* "2 data races were suppressed by race:queue.h: a.c:4 and a.c:9, b.c:3 and b.c:3" */
static uint32_t suppressed_by(const struct hd_evidence *e, uint32_t rule, struct hd_strs *why)
{
    enum { MOST = 4 };
    const struct hd_note *at = e->result->notes.at;
    uint32_t n = 0;
    struct hd_str places, name;
    hd_str_init(&places);
    hd_str_init(&name);
    for (uint32_t i = 0; i < HD_MAX_NOTES; i++) {
        if (at[i].kind != HD_NOTE_SUPPRESSED || at[i].rule != rule + 1 || counted(e, i))
            continue;
        struct hd_place a = hd_program_site(e->program, at[i].site);
        struct hd_place b = hd_program_site(e->program, at[i].other);
        if (n++ < MOST)
            hd_str_appendf(&places, "%s%s:%u and %s:%u", n > 1 ? ", " : "", a.file, a.line,
                           b.file, b.line);
    }
    if (n > MOST)
        hd_str_appendf(&places, " and %u more", n - MOST);
    hd_suppressions_rule(&name, &e->options->suppressions.rules[rule]);
    if (n)
        hd_strs_addf(why, "%u data race%s suppressed by the rule %s: %s", n,
                     n == 1 ? " was" : "s were", name.text, places.text);
    hd_str_release(&places);
    hd_str_release(&name);
    return n;
}

bool hd_oblige_suppressed(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t n = 0;
    if (!hd_notes_any(&e->result->notes, HD_NOTE_SUPPRESSED))
        return true;
    for (uint32_t rule = 0; rule < e->options->suppressions.n; rule++)
        n += suppressed_by(e, rule, why);
    if (e->result->notes.lost[HD_NOTE_SUPPRESSED] || !n)
        hd_strs_add(why, "more data races were suppressed than could be kept");
    return false;
}

/* ---- what was reached ---- */

/* Nothing of the kind was reached; otherwise the sentence, and after it the places. */
static bool not_reached(const struct hd_evidence *e, enum hd_note_kind kind, const char *sentence,
                        struct hd_strs *why)
{
    const struct hd_notes *notes = &e->result->notes;
    if (!hd_notes_any(notes, kind))
        return true;
    struct hd_str places;
    hd_str_init(&places);
    hd_note_places(&places, notes, kind, e->program);
    hd_strs_addf(why, "%s: %s", sentence, places.text);
    hd_str_release(&places);
    return false;
}

bool hd_oblige_known(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t n = hd_program_info(e->program)->n_unseen;
    bool none = not_reached(e, HD_NOTE_EXTERNAL,
                            "the program calls functions whose effects heddle does not know",
                            why);
    if (n == 0)
        return none;
    struct hd_str names;
    hd_str_init(&names);
    for (uint32_t i = 0; i < n && i < 20; i++)
        hd_str_appendf(&names, "%s%s", i ? ", " : "", hd_program_unseen(e->program, i));
    if (n > 20)
        hd_str_appendf(&names, " and %u more", n - 20);
    hd_strs_addf(why,
                 "the program may call through a pointer functions whose effects heddle does not "
                 "know: %s",
                 names.text);
    hd_str_release(&names);
    return false;
}

bool hd_oblige_assembly(const struct hd_evidence *e, struct hd_strs *why)
{
    return not_reached(e, HD_NOTE_ASSEMBLY, "inline assembly may touch memory unseen", why);
}

bool hd_oblige_controlled(const struct hd_evidence *e, struct hd_strs *why)
{
    return not_reached(e, HD_NOTE_UNCONTROLLED,
                       "instructions give other results in other runs, and one was tried", why);
}

bool hd_oblige_orders(const struct hd_evidence *e, struct hd_strs *why)
{
    if (!hd_memory_is_sc(e->options->memory))
        return true;
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, "atomic operations weaker than seq_cst were explored as sequentially "
                         "consistent");
    if (*e->result->refused.text)
        hd_str_appendf(&text, ", not as C11 allows (%s)", e->result->refused.text);
    else if (!hd_result_violations(e->result))
        hd_str_append(&text, " (--memory rc11 explores what C11 allows)");
    bool none = not_reached(e, HD_NOTE_WEAK, text.text, why);
    hd_str_release(&text);
    return none;
}

bool hd_oblige_threads(const struct hd_evidence *e, struct hd_strs *why)
{
    char text[120];
    uint32_t most = e->options->threads ? e->options->threads : HD_MAX_THREADS;
    snprintf(text, sizeof text, "a thread stood still before it made one too many (--threads %u)",
             most);
    return not_reached(e, HD_NOTE_THREADS, text, why);
}

bool hd_oblige_input(const struct hd_evidence *e, struct hd_strs *why)
{
    char bytes[HD_INPUT_TEXT], text[HD_INPUT_TEXT + 120];
    hd_stdin_text(&e->options->input, bytes, sizeof bytes);
    snprintf(text, sizeof text,
             "standard input was read: other input than at most %u of its bytes was not tried "
             "(--input %s)",
             e->options->input.most, bytes);
    bool chosen = !not_reached(e, HD_NOTE_CHOSEN, text, why);
    return not_reached(e, HD_NOTE_INPUT,
                       "standard input was read, which is always empty under heddle", why) &&
           !chosen;
}

bool hd_oblige_children(const struct hd_evidence *e, struct hd_strs *why)
{
    return not_reached(e, HD_NOTE_FORK,
                       "children of fork were not followed, and taken to end with status 0", why);
}

bool hd_oblige_errno_kept(const struct hd_evidence *e, struct hd_strs *why)
{
    return not_reached(e, HD_NOTE_ERRNO,
                       "a handler changed errno, which was not explored everywhere; its signal "
                       "was sent",
                       why);
}

bool hd_oblige_errno_own(const struct hd_evidence *e, struct hd_strs *why)
{
    if (e->result->n_threads == 1)
        return true;
    return not_reached(
        e, HD_NOTE_ERRNO_TAKEN,
        "the address of errno was given on, and what library functions write there "
        "is not seen",
        why);
}

bool hd_oblige_numbers(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_notes *notes = &e->result->notes;
    bool opens = hd_program_info(e->program)->opens_files || hd_notes_any(notes, HD_NOTE_OPENED);
    if (!opens || !hd_notes_any(notes, HD_NOTE_MODELLED))
        return true;
    return not_reached(e, HD_NOTE_CLOSED,
                       "a closed descriptor was used, whose number a file or a pipe, socket or "
                       "the like may have got again, which was not explored",
                       why);
}

bool hd_oblige_moved(const struct hd_evidence *e, struct hd_strs *why)
{
    return not_reached(e, HD_NOTE_MOVED,
                       "standard output or error was closed or moved while another thread "
                       "might write there, and output in another order was not explored",
                       why);
}

bool hd_oblige_unmapped(const struct hd_evidence *e, struct hd_strs *why)
{
    if (!hd_notes_any(&e->result->notes, HD_NOTE_MAPPED))
        return true;
    return not_reached(e, HD_NOTE_UNMAPPED,
                       "a call found memory unmapped, where other memory may have been mapped "
                       "again, which was not explored",
                       why);
}

bool hd_oblige_room(const struct hd_evidence *e, struct hd_strs *why)
{
    return not_reached(e, HD_NOTE_ROOM, "allocations failed because heddle's heap has no room",
                       why);
}

bool hd_oblige_modelled(const struct hd_evidence *e, struct hd_strs *why)
{
    static const char *const texts[] = {
        "munmap of a part of a mapping, other than its end, left the part as it was",
        "memory that mmap or mprotect protects could be read and written all the same",
        "madvise left memory that was given up as it was",
        "threads did not run on the stacks that pthread_attr_setstack gave them",
        "what an execution did to files is not undone before the next (--files off)",
        "one of two mappings of the same bytes of a file allows what the other one does",
    };
    uint32_t left = counters(e)->left_out;
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (left & 1u << i)
            hd_strs_add(why, texts[i]);
    return left == 0; /* a bit without a sentence is named by the claim */
}
