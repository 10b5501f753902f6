/* Obligations of the search: what was explored, and what was cut off. */
#include "report/obligations.h"

#include "base/number.h"
#include "supervise/plugin.h"

#include <stdlib.h>
#include <string.h>

const struct hd_obligation hd_obligations[] = {
#define HD_OBLIGATION(check, name, claim, missed, remedy)                                        \
    { name, claim, missed, remedy, hd_oblige_##check },
#include "report/obligations.def"
#undef HD_OBLIGATION
};

const uint32_t hd_n_obligations = sizeof hd_obligations / sizeof *hd_obligations;

bool hd_obligations_shown(const struct hd_obligation *obligations, uint32_t n,
                          const struct hd_evidence *evidence, struct hd_strs *why,
                          struct hd_strs *names)
{
    bool all = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_obligation *o = &obligations[i];
        size_t before = why->n;
        bool shown = o->shown && o->shown(evidence, why);
        if (!shown && why->n == before)
            hd_strs_addf(why, "nothing shows this: %s", o->claim);
        if (shown && why->n == before)
            continue;
        hd_strs_add(names, o->name);
        all = false;
    }
    return all;
}

static const struct hd_counters *counters(const struct hd_evidence *e)
{
    return &e->result->counters;
}

static bool has(const struct hd_evidence *e, uint32_t filters)
{
    return e->options->filters & filters;
}

/* ---- the end of the search ---- */

/* Of all phases; a search that samples also counts executions that a bound cut. */
static unsigned long long executions_of(const struct hd_result *result)
{
    unsigned long long executions = result->counters.executions;
    if (hd_search_samples(result->options.search))
        executions += result->counters.bounded;
    if (result->n_phases)
        executions = 0;
    for (uint32_t i = 0; i < result->n_phases; i++)
        executions += result->phases[i].counters.executions;
    return executions;
}

static bool only_races(const struct hd_result *result)
{
    for (uint32_t i = 0; i < result->n_runs; i++)
        if (result->runs[i].finding.kind != HD_KIND_DATA_RACE)
            return false;
    return result->n_runs > 0;
}

static void say_why_stopped(const struct hd_evidence *e, struct hd_strs *why)
{
    char executions[HD_NUMBER_TEXT];
    hd_number_grouped(executions_of(e->result), executions);
    switch (e->result->stop) {
    case HD_STOP_FINISHED:
        break;
    case HD_STOP_VIOLATION:
        hd_strs_add(why,
                    only_races(e->result)
                        ? "stopped when every search had a turn, because there are data races"
                        : "stopped at the first violation");
        break;
    case HD_STOP_TIME:
        hd_strs_addf(why, "stopped after %g seconds (--time)", e->seconds);
        break;
    case HD_STOP_EXECUTIONS:
        hd_strs_addf(why, "stopped after %s executions (--executions)", executions);
        break;
    case HD_STOP_WORK:
        hd_strs_addf(why, "stopped after %s executions", executions);
        break;
    case HD_STOP_INTERRUPTED:
        hd_strs_addf(why, "interrupted after %s executions", executions);
        break;
    case HD_STOP_DAMAGED:
        hd_strs_add(why, "stopped where the program wrote into heddle's memory");
        break;
    case HD_STOP_GAVE_UP:
        hd_strs_addf(why, "stopped: %s", e->result->gave_up.text);
        break;
    case HD_STOP_PLUGIN:
        hd_strs_addf(why, "stopped by %s after %s executions",
                     hd_plugin_name(&e->options->plugin), executions);
        break;
    case HD_STOP_PART:
        hd_strs_add(why, e->result->gave_up.text);
        break;
    }
}

bool hd_oblige_finished(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_result *r = e->result;
    double explored = hd_result_explored(r);
    bool cut = r->stop == HD_STOP_TIME || r->stop == HD_STOP_EXECUTIONS ||
               r->stop == HD_STOP_INTERRUPTED;
    say_why_stopped(e, why);
    if (cut && explored > 0 && explored < 0.995) /* rounded to everything it says nothing */
        hd_strs_addf(why, "by an estimate that was about %.2g %% of all executions%s",
                     100 * explored, r->counters.begun_before ? " of this bound" : "");
    return r->counters.finished && r->stop == HD_STOP_FINISHED;
}

bool hd_oblige_executed(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_counters *c = counters(e);
    if (c->executions)
        return true;
    if (c->assumed)
        hd_strs_addf(
            why, "no execution was complete: %llu ended where %s", (unsigned long long)c->assumed,
            hd_notes_any(&e->result->notes, HD_NOTE_THREADS) ? "a thread stood still"
                                                             : "an assumption does not hold");
    else
        hd_strs_add(why, "no execution was complete");
    return false;
}

bool hd_oblige_kept(const struct hd_evidence *e, struct hd_strs *why)
{
    if (e->result->n_lost)
        hd_strs_addf(why, "%u more distinct violations were found than can be kept",
                     e->result->n_lost);
    if (e->result->n_undefined)
        hd_strs_addf(why,
                     "violations that did not come out again, of executions with a data race "
                     "(C gives these no meaning): %u",
                     e->result->n_undefined);
    return e->result->n_lost == 0 && e->result->n_undefined == 0;
}

/* ---- search and filters ---- */

bool hd_oblige_search(const struct hd_evidence *e, struct hd_strs *why)
{
    if (hd_search_covers(e->options->search))
        return true;
    hd_strs_add(why, hd_search_is_guided(e->options->search)
                         ? "a guided search that finds nothing proves nothing (completeness not "
                           "proven)"
                         : "random walks never cover everything for certain");
    return false;
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

/* Can a search that stops at states it has met do better? Not where states are unknown, nor
 * where one has come to the bound as well. */
static bool states_may_help(const struct hd_evidence *e)
{
    const struct hd_result *r = e->result;
    bool tried = has(e, HD_FILTER_STATES | HD_FILTER_NOT_SEEN);
    for (uint32_t i = 0; i < r->n_phases; i++)
        tried = tried || (strcmp(r->phases[i].name, "stateful") == 0 &&
                          r->phases[i].counters.dropped[HD_FILTER_INDEX_DEPTH]);
    return !tried && e->options->search == HD_SEARCH_DFS && r->counters.opaque == 0;
}

/* The lines that were repeated when an execution was cut. */
static void append_loop(struct hd_str *out, const struct hd_evidence *e)
{
    struct hd_str lines = places(counters(e)->repeated, e->program);
    if (lines.length)
        hd_str_appendf(out, ", in a loop at %s%s", lines.text,
                       states_may_help(e) ? "; --strategy stateful ends where a state comes again"
                                          : "");
    hd_str_release(&lines);
}

/* The sentence of a row, with its number. */
static void append_sentence(struct hd_str *out, const struct hd_filter_row *row,
                            const struct hd_evidence *e)
{
    uint32_t n = 0;
    if (row->argument.letter)
        memcpy(&n, (const char *)e->options + row->argument.field, sizeof n);
    bool graph = e->options->search == HD_SEARCH_GRAPH;
    if (graph && row == &e->filters[HD_FILTER_INDEX_DEPTH] && counters(e)->max_depth < n)
        n = (uint32_t)counters(e)->max_depth; /* it was too large before */
    for (const char *at = row->sentence; *at; at++) {
        if (strncmp(at, "{n}", 3) == 0) {
            hd_str_appendf(out, "%u", n);
            at += 2;
        } else if (strncmp(at, "{s}", 3) == 0) {
            hd_str_append(out, n == 1 ? "" : "s");
            at += 2;
        } else {
            hd_str_append_char(out, *at);
        }
    }
}

/* Does the row's claim hold?  A bound that is always there cuts without being in the chain. */
static bool claim_holds(const struct hd_evidence *e, uint32_t i)
{
    const struct hd_filter_row *row = &e->filters[i];
    bool in_chain = e->options->filters >> i & 1;
    if (row->claim == HD_CLAIM_ALL || (row->claim == HD_CLAIM_NOTHING && !in_chain))
        return true;
    if (row->claim != HD_CLAIM_WITHIN)
        return !in_chain;
    return counters(e)->dropped[i] == 0;
}

bool hd_oblige_filters(const struct hd_evidence *e, struct hd_strs *why)
{
    bool all = e->n_filters >= 32 || e->options->filters >> e->n_filters == 0;
    if (!all)
        hd_strs_add(why, "a filter stood in the chain that no row of the table describes");
    for (uint32_t i = 0; i < e->n_filters; i++) {
        const struct hd_filter_row *row = &e->filters[i];
        struct hd_str text;
        if (claim_holds(e, i))
            continue;
        hd_str_init(&text);
        if (row->sentence && *row->sentence)
            append_sentence(&text, row, e);
        else
            hd_str_appendf(&text, "%s does not claim that it keeps all schedules", row->text);
        if (i == HD_FILTER_INDEX_DEPTH)
            append_loop(&text, e);
        if (!hd_strs_has(why, text.text))
            hd_strs_add(why, text.text);
        hd_str_release(&text);
        all = false;
    }
    return all;
}

bool hd_oblige_plugin(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_plugin *plugin = &e->options->plugin;
    const char *name = hd_plugin_name(plugin);
    uint32_t known = HD_PLUGIN_ORDERS | HD_PLUGIN_PRUNES | HD_PLUGIN_SAMPLES | HD_PLUGIN_RANKS |
                     HD_PLUGIN_CHECKS | HD_PLUGIN_TRACES;
    /* one that ranks has the same states expanded in another order */
    if (!plugin->used || hd_plugin_keeps_all(plugin) || plugin->claims == HD_PLUGIN_RANKS)
        return true;
    if (plugin->claims & HD_PLUGIN_PRUNES)
        hd_strs_addf(why, "pruned by %s: %llu", name,
                     (unsigned long long)counters(e)->left_out_by_plugin);
    if (plugin->claims & HD_PLUGIN_SAMPLES)
        hd_strs_addf(why, "sampled by %s", name);
    if (plugin->claims & HD_PLUGIN_RANKS)
        hd_strs_addf(why, "ranked by %s", name);
    if (plugin->claims & ~known || !(plugin->claims & known))
        hd_strs_addf(why, "%s does not declare what it does, or declares what is not known here",
                     name);
    return false;
}

/* A checker that does not declare HEDDLE_TRACES may look at anything that it is shown; what is
 * never a step, or never explored, is not shown. */
bool hd_oblige_checker(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_plugin *plugin = &e->options->plugin;
    const struct hd_program_info *info = hd_program_info(e->program);
    const char *name = hd_plugin_name(plugin);
    size_t before = why->n;
    if (!plugin->used || !(plugin->claims & HD_PLUGIN_CHECKS) ||
        plugin->claims & HD_PLUGIN_TRACES)
        return true;
    if (e->options->filters & ~hd_filters_not_reductions())
        hd_strs_addf(why, "%s was shown one order of independent steps, and not all", name);
    if (!info->all_accesses)
        hd_strs_addf(why,
                     "accesses that conflict with no other thread's are no steps, so %s was not "
                     "shown them (--analysis all)",
                     name);
    if (info->awaits)
        hd_strs_addf(why, "turns of waiting loops that change nothing were not shown to %s",
                     name);
    return why->n == before;
}

bool hd_oblige_chain(const struct hd_evidence *e, struct hd_strs *why)
{
    struct hd_str names;
    if (hd_chain_allowed(e->options->filters))
        return true;
    hd_str_init(&names);
    for (unsigned i = 0; i < HD_N_FILTERS; i++)
        if (e->options->filters >> i & 1)
            hd_str_appendf(&names, "%s%s", names.text[0] ? ", " : "", hd_filter_table[i].text);
    hd_strs_addf(why, "%s are not known to be right together (--allow-unsound)", names.text);
    hd_str_release(&names);
    return false;
}

bool hd_oblige_within(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_counters *c = counters(e);
    uint32_t ignorant = HD_FILTER_SLEEP | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL |
                        HD_FILTER_OBSERVERS;
    bool cut = c->dropped[HD_FILTER_INDEX_DEPTH] || c->dropped[HD_FILTER_INDEX_PREEMPTIONS];
    bool graph = e->options->search == HD_SEARCH_GRAPH;
    if (!(cut && (graph || has(e, ignorant))) &&
        !(c->dropped[HD_FILTER_INDEX_DEPTH] && has(e, HD_FILTER_DPOR | HD_FILTER_DPOR_PLAIN)))
        return true;
    hd_strs_addf(why,
                 "the reduction does not know what the bound cut off: executions within the "
                 "bound may be missing too%s",
                 c->dropped[HD_FILTER_INDEX_DEPTH] ? "" : " (--reduce dpor misses none)");
    return false;
}

bool hd_oblige_rounds(const struct hd_evidence *e, struct hd_strs *why)
{
    const struct hd_rounds *r = &e->result->rounds;
    if (r->fixpoint)
        hd_strs_add(why, "slice-n-dice fixpoint; completeness not proven");
    else if (has(e, HD_FILTER_DICE))
        hd_strs_addf(why, "%u of %u threads were interleaved, at %u places (slice-n-dice)",
                     r->threads, r->of_threads, r->places);
    return !r->fixpoint && !has(e, HD_FILTER_DICE);
}

/* ---- states ---- */

bool hd_oblige_queue(const struct hd_evidence *e, struct hd_strs *why)
{
    uint64_t dropped = counters(e)->states_dropped;
    if (dropped)
        hd_strs_addf(why, "%llu states were not gone on from (--queue)",
                     (unsigned long long)dropped);
    return dropped == 0;
}

bool hd_oblige_stored(const struct hd_evidence *e, struct hd_strs *why)
{
    bool bits = has(e, HD_FILTER_STATES) && e->options->state_store == HD_STORE_BITS;
    if (bits)
        hd_strs_add(why, "states were recognised by four bits each (--bitstate)");
    return !bits;
}

bool hd_oblige_symmetric(const struct hd_evidence *e, struct hd_strs *why)
{
    if (!e->options->symmetric || counters(e)->alike_looks)
        return true;
    hd_strs_add(why,
                "threads with the same function and argument were taken for interchangeable, "
                "and nothing shows that they cannot be told apart (--symmetric)");
    return false;
}

bool hd_oblige_livelocks(const struct hd_evidence *e, struct hd_strs *why)
{
    if (!counters(e)->cycles_unknown || e->options->no_livelocks)
        return true;
    hd_strs_add(why, e->options->search == HD_SEARCH_BEST_FIRST
                         ? "steps may lead back to the same state for ever, and livelocks were "
                           "not looked for (--strategy stateful does)"
                         : "livelocks were not looked for to the end: too many threads, or too "
                           "many states that lead back to each other");
    return false;
}

/* A thread that only looks, and lets time pass, was stopped. */
bool hd_oblige_polls(const struct hd_evidence *e, struct hd_strs *why)
{
    uint32_t polls = e->options->polls;
    if (!counters(e)->polled[0])
        return true;
    struct hd_str lines = places(counters(e)->polled, e->program);
    hd_strs_addf(
        why,
        "a thread that lets time pass and finds nothing new was let do so %u time%s in a row "
        "(--polls)%s%s",
        polls, polls == 1 ? "" : "s", lines.length ? ", in a loop at " : "",
        lines.length ? lines.text : "");
    hd_str_release(&lines);
    return false;
}
