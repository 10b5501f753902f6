#include "strategy/rules.h"

#include "supervise/plugin.h"

#include <stdio.h>
#include <string.h>

void hd_rules_observe(struct hd_options *options)
{
    if (options->filters & HD_FILTER_OBSERVERS)
        options->finer |= HD_FINER_OBSERVERS;
    else if (options->finer & HD_FINER_OBSERVERS && options->filters & HD_FILTER_OPTIMAL)
        options->filters ^= HD_FILTER_OPTIMAL | HD_FILTER_OBSERVERS;
}

/* The states that several workers have in common. */
static int check_shared_states(const struct hd_options *options, struct hd_err *err)
{
    if (options->filters & HD_FILTER_PREEMPTIONS)
        return hd_err_set(err, "states with a bound on preemptions are known to one worker: use "
                               "-j 1, or leave out one of the two");
    if (options->state_store == HD_STORE_EXACT)
        return hd_err_set(err, "--exact-states numbers states in one memory: it needs -j 1");
    if (options->symmetric)
        return hd_err_set(err,
                          "--symmetric ends where states form a cycle, which only one worker "
                          "can see: it needs -j 1");
    if (options->state_store == HD_STORE_BITS && !options->no_livelocks)
        return hd_err_set(err, "--bitstate does not say which state was met, so several workers "
                               "cannot see cycles: add --livelocks off, or use -j 1");
    if (options->state_store != HD_STORE_BITS && options->state_cache)
        return hd_err_set(err, "--state-cache forgets states, so workers could follow a cycle "
                               "for ever: it needs -j 1, or --bitstate --livelocks off");
    if (options->state_store != HD_STORE_BITS && options->state_memory)
        return hd_err_set(err, "--state-memory forgets states, so workers could follow a cycle "
                               "for ever: it needs -j 1, or --bitstate --livelocks off");
    return 0;
}

/* Reductions by races that open alternatives at nodes of the path without the locks of split.h,
 * which nodes need that belong to several workers. */
#define UNLOCKED (HD_FILTER_DPOR_PLAIN | HD_FILTER_OBSERVERS)

/* The name of the first of these filters; NULL: there is none. */
static const char *name_among(uint32_t filters)
{
    return filters ? hd_filter_table[__builtin_ctz(filters)].text : NULL;
}

/* Several workers need a search whose parts are independent. */
static int check_jobs(const struct hd_options *options, struct hd_err *err)
{
    const char *unlocked = name_among(options->filters & UNLOCKED);
    if (options->filters & HD_FILTERS_LEARNING)
        return 0; /* one worker does everything (supervise/exploration.c) */
    if (unlocked)
        return hd_err_set(err,
                          "%s opens alternatives at earlier nodes, and is not made for nodes "
                          "that several workers share: it needs -j 1 (dpor, source and optimal "
                          "work with more)",
                          unlocked);
    if (options->filters & HD_FILTER_STATES && check_shared_states(options, err) != 0)
        return -1;
    for (unsigned i = 0; i < HD_N_FILTERS; i++)
        if ((options->filters & 1u << i) && !(hd_filter_table[i].traits & HD_TRAIT_PARTS))
            return hd_err_set(
                err,
                "%s remembers what was explored in one memory: it needs -j 1 (these "
                "work with more: optimal, source, dpor, sleep, stateful, none)",
                hd_filter_table[i].text);
    if (options->iterative &&
        options->filters & (HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL))
        return hd_err_set(err, "iterative preemption bounding (chess) with a reduction by races "
                               "needs -j 1; with more workers leave out --reduce, or use sleep");
    if (options->digest)
        return hd_err_set(err, "--digest depends on the order of executions: it needs -j 1");
    return 0;
}

/* The searches and filters that may be used with slice-n-dice. */
static int check_dice(const struct hd_options *options, struct hd_err *err)
{
    if (options->filters &
        (HD_FILTER_SLEEP | HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL))
        return hd_err_set(err,
                          "a reduction by races cannot run inside slice-n-dice: to reverse two "
                          "steps it would have to switch threads outside the slice; use "
                          "--reduce states or none");
    if (options->search != HD_SEARCH_DFS)
        return hd_err_set(err,
                          "slice-n-dice has to know when a round is over: it needs --search dfs "
                          "or dfs:SEED");
    if (options->keep_going)
        return hd_err_set(err,
                          "slice-n-dice ends with the first violation: leave out --keep-going");
    if (options->iterative)
        return hd_err_set(err, "slice-n-dice counts no preemptions: leave out chess");
    return 0;
}

/* --finer needs a reduction that asks which steps are independent, and no other feature that
 * relies on the order of such steps. */
static int check_finer(const struct hd_options *options, struct hd_err *err)
{
    uint32_t ask = HD_FILTER_SLEEP | HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL |
                   HD_FILTER_OBSERVERS;
    if (!(options->filters & ask) || options->filters & ~(ask | hd_filters_not_reductions()))
        return hd_err_set(err, "--finer says which steps are independent, and this search does "
                               "not ask: it goes with optimal, source, dpor, sleep");
    if (options->finer & HD_FINER_OBSERVERS && !(options->filters & HD_FILTER_OBSERVERS))
        return hd_err_set(err, "--finer observers goes with optimal alone: the others cannot put "
                               "a store to sleep until it is seen");
    if (options->finer & HD_FINER_LOCKS &&
        (options->filters & HD_FILTER_SLEEP || options->finer != HD_FINER_LOCKS))
        return hd_err_set(err, "--finer locks goes with optimal, source and dpor, and not with "
                               "rmw and observers");
    if (options->finer & HD_FINER_LOCKS &&
        (options->races != HD_RACES_ERROR || options->suppressions.n_races))
        return hd_err_set(err, "--finer locks finds out what critical sections have in common by "
                               "looking for data races: use --races error, and suppress none");
    if (options->filters & (HD_FILTER_PREEMPTIONS | HD_FILTER_DELAYS))
        return hd_err_set(err, "--finer and a bound on preemptions or delays cannot be combined: "
                               "orders of commuting steps need different bounds");
    return 0;
}

/* The explorer has one set of races of the path, so that one reduction can use it. */
static int check_one_of_a_kind(uint32_t filters, struct hd_err *err)
{
    uint32_t by_races = HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL |
                        HD_FILTER_OBSERVERS | HD_FILTER_DPOR_PLAIN | HD_FILTER_DPOR_STATES;
    filters &= by_races;
    if ((filters & (filters - 1)) == 0)
        return 0;
    uint32_t one = (uint32_t)__builtin_ctz(filters);
    uint32_t other = (uint32_t)__builtin_ctz(filters & (filters - 1));
    return hd_err_set(err,
                      "%s and %s cannot be combined: a search has one reduction by races; "
                      "choose one",
                      hd_filter_table[one].text, hd_filter_table[other].text);
}

/* Names two filters that no combination has in common, otherwise all of them.  `eager` comes
 * with `states` and is not named beside it. */
static int not_together(uint32_t filters, struct hd_err *err)
{
    char list[300] = "";
    if (check_one_of_a_kind(filters, err) != 0)
        return -1;
    if (filters & HD_FILTER_STATES && !hd_chain_allowed(filters & ~(uint32_t)HD_FILTER_EAGER))
        filters &= ~(uint32_t)HD_FILTER_EAGER;
    for (unsigned i = 0; i < HD_N_FILTERS; i++) {
        if (!(filters & 1u << i))
            continue;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                 hd_filter_table[i].text);
        for (unsigned j = i + 1; j < HD_N_FILTERS; j++)
            if (filters & 1u << j && !hd_chain_allowed(1u << i | 1u << j))
                return hd_err_set(
                    err,
                    "%s and %s cannot be combined: each relies on exploring what the "
                    "other leaves out; choose one (--allow-unsound to compare)",
                    hd_filter_table[i].text, hd_filter_table[j].text);
    }
    return hd_err_set(err,
                      "%s cannot be combined: not known to be right together (--allow-unsound to "
                      "compare)",
                      list);
}

/* The search over execution graphs has its own reduction, and one bound. */
static int check_graph(const struct hd_options *options, struct hd_err *err)
{
    if (options->filters & ~(uint32_t)HD_FILTER_DEPTH)
        return hd_err_set(err, "the graph search takes no reductions and no bound but --depth: "
                               "leave out --reduce and --preemptions");
    if (options->finer & HD_FINER_LOCKS)
        return hd_err_set(err, "--finer locks goes with optimal, source and dpor, and not with "
                               "the graph search");
    if (options->finer)
        return hd_err_set(
            err, options->finer & HD_FINER_OBSERVERS
                     ? "--finer observers goes with optimal, and not with the graph search"
                     : "--finer rmw goes with optimal, source, dpor and sleep, and not "
                       "with the graph search");
    if (options->digest || options->no_undo)
        return hd_err_set(err, "the graph search has no %s",
                          options->digest ? "--digest" : "--no-undo");
    if (options->state_store || options->state_cache || options->state_memory)
        return hd_err_set(err, "the graph search keeps no states: leave out --exact-states, "
                               "--bitstate, --state-cache and --state-memory");
    if (options->symmetric && options->search != HD_SEARCH_GRAPH)
        return hd_err_set(err, "--symmetric leaves out executions, and a search that draws them "
                               "leaves out most: use --strategy graph, or leave it out");
    if (options->symmetric && options->memory != HD_MEMORY_SC_GRAPH &&
        options->memory != HD_MEMORY_TSO)
        return hd_err_set(err, "--symmetric over graphs relies on the order in which a machine "
                               "makes its stores: use --strategy graph with --memory sc or "
                               "--memory tso");
    return 0;
}

int hd_rules_split(const struct hd_options *options, struct hd_err *err)
{
    static const char remedy[] = "leave out --strategy (the graph search splits), or use "
                                 "--reduce sleep or none";
    uint32_t apart = HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS | HD_FILTER_DELAYS | HD_FILTER_SLEEP;
    uint32_t above = HD_FILTER_DPOR | HD_FILTER_SOURCE | HD_FILTER_OPTIMAL | UNLOCKED;
    if (options->plugin.used)
        return hd_err_set(err, "%s has one memory, so its search cannot be split: %s",
                          hd_plugin_name(&options->plugin), remedy);
    if (hd_search_samples(options->search))
        return hd_err_set(err,
                          "%s draws executions, so there is nothing to split: run it with "
                          "another seed on every machine",
                          hd_search_table[options->search].text);
    if (hd_search_is_guided(options->search))
        return hd_err_set(err,
                          "a guided search knows the states of one memory, so it cannot be "
                          "split: %s",
                          remedy);
    for (unsigned i = 0; i < HD_N_FILTERS; i++)
        if (options->filters & 1u << i & above)
            return hd_err_set(err,
                              "%s cannot be split into work units, because what is found in one "
                              "opens alternatives in others: %s",
                              hd_filter_table[i].text, remedy);
    for (unsigned i = 0; i < HD_N_FILTERS; i++)
        if (options->filters & 1u << i & ~apart)
            return hd_err_set(err,
                              "%s remembers what was explored in one memory, so it cannot be "
                              "split into work units: %s",
                              hd_filter_table[i].text, remedy);
    if (options->iterative)
        return hd_err_set(err, "chess explores one bound after the other, so it cannot be split: "
                               "use --reduce preemptions:K");
    if (options->digest)
        return hd_err_set(err, "--digest depends on the order of executions: it cannot be split");
    return 0;
}

/* A checker sees the executions that are explored.  A reduction by traces keeps one of those
 * that differ in the order of independent steps alone; others keep less. */
static int check_checker(const struct hd_options *options, struct hd_err *err)
{
    const char *name = hd_plugin_name(&options->plugin);
    uint32_t by_traces = HD_FILTER_SLEEP | HD_FILTER_DPOR | HD_FILTER_DPOR_PLAIN |
                         HD_FILTER_SOURCE | HD_FILTER_OPTIMAL;
    uint32_t reductions = options->filters & ~hd_filters_not_reductions();
    if (reductions && !hd_plugin_takes_reductions(&options->plugin))
        return hd_err_set(err,
                          "%s may object to the order of independent steps, which a reduction "
                          "leaves out: leave out --reduce, or declare HEDDLE_TRACES",
                          name);
    if (reductions & ~by_traces)
        return hd_err_set(err,
                          "%s judges whole executions, and this reduction keeps states only: use "
                          "--reduce optimal, source, dpor or sleep",
                          name);
    if (options->finer)
        return hd_err_set(err,
                          "%s sees the order of steps that --finer takes for independent: leave "
                          "out --finer",
                          name);
    return 0;
}

static int check_plugin(const struct hd_options *options, struct hd_err *err)
{
    const char *name = hd_plugin_name(&options->plugin);
    if (options->jobs > 1)
        return hd_err_set(err, "%s has one memory: it needs -j 1", name);
    if (options->iterative)
        return hd_err_set(err, "%s cannot be combined with chess: use --preemptions", name);
    if (options->plugin.claims & HD_PLUGIN_CHECKS && check_checker(options, err) != 0)
        return -1;
    if (options->filters & ~hd_filters_not_reductions() && !hd_plugin_keeps_all(&options->plugin))
        return hd_err_set(err,
                          "%s may leave out schedules that a reduction relies on: leave out "
                          "--reduce, or declare HEDDLE_ORDERS alone",
                          name);
    return 0;
}

/* A reduction beside a search that is not depth first.  JPF's choice of points needs no order
 * of the search. */
static int check_reduced(const struct hd_options *options, struct hd_err *err)
{
    bool guided = hd_search_is_guided(options->search);
    uint32_t fine = hd_filters_not_reductions() | (guided ? HD_FILTER_SHARED : 0u);
    if (options->search == HD_SEARCH_DFS || !(options->filters & ~fine))
        return 0;
    return hd_err_set(err, "%s cannot be combined with a reduction",
                      guided ? "a guided search, which knows its states,"
                             : "a random search, which visits states again on purpose,");
}

/* What has nothing to do with the chain of filters. */
static int check_rest(const struct hd_options *options, struct hd_err *err)
{
    if (check_reduced(options, err) != 0)
        return -1;
    if (hd_search_is_guided(options->search) && options->jobs > 1)
        return hd_err_set(err, "a guided search knows the states of one memory: it needs -j 1");
    if (options->search != HD_SEARCH_DFS && options->iterative)
        return hd_err_set(err, "iterative preemption bounding (chess) needs --search dfs");
    if (options->state_store == (HD_STORE_EXACT | HD_STORE_BITS))
        return hd_err_set(err, "--exact-states and --bitstate cannot be combined: choose one");
    if (options->state_store && !(options->filters & HD_FILTER_STATES))
        return hd_err_set(err, "--exact-states and --bitstate say how states are kept, and this "
                               "search keeps none: use --strategy stateful or --reduce states");
    uint32_t plain = hd_filters_not_reductions() | HD_FILTER_STATES | HD_FILTER_EAGER;
    if (options->filters & HD_FILTER_STATES && options->filters & HD_FILTER_PREEMPTIONS &&
        (options->symmetric || options->state_store == HD_STORE_EXACT))
        return hd_err_set(err, "with a bound on preemptions a state is more than memory: leave "
                               "out --symmetric and --exact-states");
    if (options->symmetric &&
        (!(options->filters & HD_FILTER_STATES) || options->filters & ~plain ||
         options->filters & HD_FILTER_DICE || options->state_store == HD_STORE_EXACT))
        return hd_err_set(err, "--symmetric needs --strategy stateful (without other reductions "
                               "and --exact-states) or --strategy graph: others know threads by "
                               "their names; auto uses it by itself");
    if (options->state_cache && !(options->filters & (HD_FILTER_STATES | HD_FILTER_NOT_SEEN)) &&
        !hd_search_is_guided(options->search))
        return hd_err_set(err, "--state-cache bounds the states that are kept, and this search "
                               "keeps none: use --strategy stateful or --reduce not-seen");
    if (options->state_memory && !(options->filters & HD_FILTER_STATES))
        return hd_err_set(err, "--state-memory bounds the memory of visited states, and this "
                               "search keeps none: use --strategy stateful");
    if (options->state_memory && options->state_cache)
        return hd_err_set(err, "--state-memory and --state-cache both bound what is kept: choose "
                               "one");
    if (options->state_store == HD_STORE_EXACT && options->state_memory)
        return hd_err_set(err, "--exact-states keeps all states: leave out --state-memory");
    if (options->state_store == HD_STORE_EXACT && options->state_cache)
        return hd_err_set(err, "--exact-states keeps all states: leave out --state-cache");
    return options->jobs > 1 ? check_jobs(options, err) : 0;
}

int hd_rules_check_unsound(const struct hd_options *options, struct hd_err *err)
{
    if (hd_chain_allowed(options->filters) || options->search == HD_SEARCH_GRAPH ||
        options->memory != HD_MEMORY_SC)
        return hd_rules_check(options, err);
    if (options->plugin.used || options->jobs > 1)
        return hd_err_set(err, "--allow-unsound needs -j 1, and no strategy from outside");
    if (options->finer && check_finer(options, err) != 0)
        return -1;
    if (options->filters & HD_FILTER_DICE && check_dice(options, err) != 0)
        return -1;
    return check_one_of_a_kind(options->filters, err) != 0 ? -1 : check_rest(options, err);
}

int hd_rules_check(const struct hd_options *options, struct hd_err *err)
{
    if (options->plugin.used && check_plugin(options, err) != 0)
        return -1;
    if (options->search == HD_SEARCH_GRAPH || options->memory != HD_MEMORY_SC)
        return check_graph(options, err);
    if (options->finer && check_finer(options, err) != 0)
        return -1;
    if (options->filters & HD_FILTER_DICE && check_dice(options, err) != 0)
        return -1;
    if (!hd_chain_allowed(options->filters))
        return not_together(options->filters, err);
    return check_rest(options, err);
}
