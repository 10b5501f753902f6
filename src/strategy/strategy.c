#include "strategy/strategy.h"

#include "base/nearest.h"
#include "base/number.h"
#include "strategy/rules.h"
#include "supervise/plan.h"
#include "supervise/plugin.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *argument_of(struct hd_options *options, unsigned filter)
{
    return (uint32_t *)(void *)((char *)options + hd_filter_table[filter].argument.field);
}

static void reset(struct hd_options *o)
{
    o->search = HD_SEARCH_DFS;
    o->shuffled = 0;
    o->filters = 0;
    o->memory = HD_MEMORY_SC;
    o->iterative = 0;
    o->preemptions = 0;
    o->scale_dependence = 0;
    o->random_threads = 0;
    o->swarm = 0;
    o->plugin = (struct hd_plugin){ 0 };
}

static void preset_brute(struct hd_options *o, uint64_t k)
{
    (void)o;
    (void)k;
}

/* Most presets are a chain of filters. */
#define CHAIN(name, chain)                                                                       \
    static void preset_##name(struct hd_options *o, uint64_t k)                                  \
    {                                                                                            \
        (void)k;                                                                                 \
        o->filters = (chain);                                                                    \
    }
CHAIN(nsb, HD_FILTER_NOT_SEEN)
CHAIN(stateful, HD_FILTER_STATES | HD_FILTER_EAGER)
CHAIN(hybrid, HD_FILTER_STATES | HD_FILTER_EAGER | HD_FILTER_HYBRID)
CHAIN(hybrid_hr, HD_FILTER_STATES | HD_FILTER_EAGER | HD_FILTER_HYBRID_HR)
CHAIN(hr, HD_FILTER_STATES | HD_FILTER_EAGER | HD_FILTER_HR)
CHAIN(hr_fields, HD_FILTER_STATES | HD_FILTER_EAGER | HD_FILTER_HR_FIELDS)
CHAIN(dpor_stateful, HD_FILTER_STATES | HD_FILTER_EAGER | HD_FILTER_DPOR_STATES)
CHAIN(inspect, HD_FILTER_DPOR)
CHAIN(jpf, HD_FILTER_SHARED)
CHAIN(jpf_states, HD_FILTER_SHARED | HD_FILTER_STATES)
CHAIN(dpor_plain, HD_FILTER_DPOR_PLAIN)
CHAIN(source, HD_FILTER_SOURCE)
CHAIN(optimal, HD_FILTER_OPTIMAL)
#undef CHAIN

static void preset_scale(struct hd_options *o, uint64_t k)
{
    (void)k;
    o->filters = HD_FILTER_NOT_SEEN | HD_FILTER_SUPER_STEP | HD_FILTER_LOCAL_CYCLE;
    o->scale_dependence = 1;
}

/* Execution graphs of C11. */
static void preset_graph(struct hd_options *o, uint64_t k)
{
    (void)k;
    o->search = HD_SEARCH_GRAPH;
    o->memory = HD_MEMORY_RC11;
}

/* Execution graphs under sequential consistency, without the order of stores. */
static void preset_rf(struct hd_options *o, uint64_t k)
{
    (void)k;
    o->search = HD_SEARCH_GRAPH;
    o->memory = HD_MEMORY_SC_RF;
}

static void preset_chess(struct hd_options *o, uint64_t k)
{
    o->filters = HD_FILTER_PREEMPTIONS;
    o->preemptions = (uint32_t)k;
    o->iterative = 1;
}

static void preset_swarm(struct hd_options *o, uint64_t k)
{
    o->search = HD_SEARCH_RANDOM;
    o->swarm = 1;
    o->seed = k;
}

static void preset_chess_states(struct hd_options *o, uint64_t k)
{
    preset_chess(o, k);
    o->filters |= HD_FILTER_STATES;
}

/* As CHESS: threads are switched at synchronisation only. */
static void preset_chess_sync(struct hd_options *o, uint64_t k)
{
    preset_chess(o, k);
    o->filters |= HD_FILTER_SYNC_ONLY;
}

static void preset_hgs(struct hd_options *o, uint64_t k)
{
    o->search = HD_SEARCH_BEST_FIRST;
    o->seed = k;
}

/* As Noonan's tool: threads are tried where JPF tries them. */
static void preset_hgs_jpf(struct hd_options *o, uint64_t k)
{
    preset_hgs(o, k);
    o->filters = HD_FILTER_SHARED;
}

static void preset_meta(struct hd_options *o, uint64_t k)
{
    o->search = HD_SEARCH_GREEDY;
    o->seed = k;
}

/* With a seed as in the papers: threads are added at random, successors visited in a random
 * order. */
static void preset_dice(struct hd_options *o, uint64_t k)
{
    o->filters = HD_FILTER_DICE | HD_FILTER_STATES;
    o->random_threads = o->shuffled = k != 0;
    o->seed = k;
}

#define PCT_DEPTH 3 /* most bugs need no more orderings (Burckhardt et al., table 3) */

/* Is `text` this name, alone or followed by a colon?  *rest is what comes after the colon, or
 * NULL. */
static bool is_name(const char *text, const char *name, const char **rest)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || (text[length] != 0 && text[length] != ':'))
        return false;
    *rest = text[length] ? text + length + 1 : NULL;
    return true;
}

/* Parse D and SEED after the name of a search. */
static int search_numbers(struct hd_options *o, const char *option,
                          const struct hd_search_row *search, const char *rest,
                          struct hd_err *err)
{
    uint64_t depth = PCT_DEPTH;
    o->seed = 0;
    if (search->takes_depth && rest) {
        char *copy = hd_strdup(rest), *colon = strchr(copy, ':');
        if (colon)
            *colon = 0;
        int failed = hd_number_parse(option, copy, 1, HD_MAX_PCT_DEPTH, &depth, err);
        rest = colon ? rest + (colon - copy) + 1 : NULL;
        free(copy);
        if (failed)
            return -1;
    }
    o->pct_depth = search->takes_depth ? (uint32_t)depth : 0;
    return rest ? hd_number_parse(option, rest, 0, UINT64_MAX, &o->seed, err) : 0;
}

/* Returns 1 if the name is a search, which has been set; 0 if it is none; -1 with err. */
static int set_search(struct hd_options *o, const char *option, const char *text,
                      struct hd_err *err)
{
    const char *rest;
    for (uint32_t s = 0; s < HD_N_SEARCHES; s++) {
        if (!is_name(text, hd_search_table[s].text, &rest))
            continue;
        if (o->plugin.used)
            return hd_err_set(err, "%s is a search itself: leave out --search",
                              hd_plugin_name(&o->plugin));
        o->search = s;
        o->memory = s == HD_SEARCH_GRAPH ? HD_MEMORY_RC11 : HD_MEMORY_SC;
        o->shuffled = s == HD_SEARCH_DFS && rest;
        if (s != HD_SEARCH_DFS)
            o->filters &= hd_filters_not_reductions() | HD_FILTER_DICE;
        return search_numbers(o, option, &hd_search_table[s], rest, err) != 0 ? -1 : 1;
    }
    return 0;
}

/* The presets.  `argument`: what may follow a colon; optional if `set` works without it.  A
 * preset without `set` is a search. */
static const struct preset {
    const char *name, *argument;
    bool needs_argument;
    uint64_t most;
    void (*set)(struct hd_options *, uint64_t);
} presets[] = {
    { "auto", NULL, false, 0, preset_optimal },
    { "optimal", NULL, false, 0, preset_optimal },
    { "graph", NULL, false, 0, preset_graph },
    { "rf", NULL, false, 0, preset_rf },
    { "source", NULL, false, 0, preset_source },
    { "inspect", NULL, false, 0, preset_inspect },
    { "dpor:plain", NULL, false, 0, preset_dpor_plain },
    { "jpf", NULL, false, 0, preset_jpf },
    { "jpf:states", NULL, false, 0, preset_jpf_states },
    { "stateful", NULL, false, 0, preset_stateful },
    { "hybrid", NULL, false, 0, preset_hybrid },
    { "hybrid:hr", NULL, false, 0, preset_hybrid_hr },
    { "dpor-stateful", NULL, false, 0, preset_dpor_stateful },
    { "hr", NULL, false, 0, preset_hr },
    { "hr-fields", NULL, false, 0, preset_hr_fields },
    { "brute", NULL, false, 0, preset_brute },
    { "scale", NULL, false, 0, preset_scale },
    { "scale:nsb", NULL, false, 0, preset_nsb },
    { "chess", "K", true, 1000000, preset_chess },
    { "chess-states", "K", true, 1000000, preset_chess_states },
    { "chess-sync", "K", true, 1000000, preset_chess_sync },
    { "random", "SEED", false, 0, NULL },
    { "pct", "D", false, 0, NULL },
    { "pos", "SEED", false, 0, NULL },
    { "swarm", "SEED", false, UINT64_MAX, preset_swarm },
    { "hgs", "SEED", false, UINT64_MAX, preset_hgs },
    { "hgs-jpf", "SEED", false, UINT64_MAX, preset_hgs_jpf },
    { "meta", "SEED", false, UINT64_MAX, preset_meta },
    { "slice-n-dice", "SEED", false, UINT64_MAX, preset_dice },
};

#define N_PRESETS (sizeof presets / sizeof *presets)

/* Is there a filter of this name, whatever its argument? */
static bool is_filter(const char *text)
{
    const char *rest;
    for (unsigned i = 0; i < HD_N_FILTERS; i++)
        if (i != HD_FILTER_INDEX_DICE && (strcmp(text, hd_filter_table[i].text) == 0 ||
                                          (hd_filter_table[i].argument.letter &&
                                           is_name(text, hd_filter_table[i].text, &rest))))
            return true;
    return false;
}

static int no_preset(const char *text, struct hd_err *err)
{
    char list[500] = "";
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, text);
    for (size_t i = 0; i < N_PRESETS; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s%s%s%s%s", i ? ", " : "", presets[i].name,
                 presets[i].argument && !presets[i].needs_argument ? "[" : "",
                 presets[i].argument ? ":" : "", presets[i].argument ? presets[i].argument : "",
                 presets[i].argument && !presets[i].needs_argument ? "]" : "");
        hd_nearest_try(&nearest, presets[i].name);
    }
    if (is_filter(text) || strcmp(text, "none") == 0)
        return hd_err_set(err, "%.60s is a reduction: --reduce %.60s", text, text);
    if (hd_str_ends(text, ".c"))
        return hd_err_set(err,
                          "--strategy %.200s: compile it first (cc -shared -fPIC -o mine.so "
                          "mine.c) and give the .so file",
                          text);
    if (nearest.best)
        return hd_err_set(err, "unknown preset %.60s (did you mean %s?); there are: %s", text,
                          nearest.best, list);
    return hd_err_set(err, "unknown preset %.60s; there are: %s", text, list);
}

/* A strategy from outside.  One that only orders goes with the best reduction; what another
 * leaves out, no reduction may rely on, and a checker may see what a reduction leaves out. */
static int set_plugin(struct hd_options *o, const char *text, struct hd_err *err)
{
    reset(o);
    if (hd_plugin_find(&o->plugin, text, err) != 0)
        return -1;
    if (o->plugin.claims & HD_PLUGIN_RANKS)
        o->search = HD_SEARCH_BEST_FIRST;
    else if (o->plugin.claims & HD_PLUGIN_SAMPLES)
        o->search = HD_SEARCH_RANDOM;
    else if (hd_plugin_takes_reductions(&o->plugin))
        o->filters = HD_FILTER_OPTIMAL;
    return 0;
}

int hd_strategy_preset(struct hd_options *options, const char *text, struct hd_err *err)
{
    if (hd_plugin_is(text))
        return set_plugin(options, text, err);
    for (size_t i = 0; i < N_PRESETS; i++) {
        const struct preset *p = &presets[i];
        size_t length = strlen(p->name);
        uint64_t number = 0;
        if (strncmp(text, p->name, length) != 0 || (text[length] != 0 && text[length] != ':'))
            continue;
        if (!p->set) {
            reset(options);
            return set_search(options, "--strategy", text, err) == 1 ? 0 : -1;
        }
        if (text[length] == 0 && p->needs_argument)
            return hd_err_set(err, "preset %s needs a number: %s:%s", text, text, p->argument);
        if (text[length] == ':' && !p->argument)
            continue;
        if (text[length] == ':' &&
            hd_number_parse("--strategy", text + length + 1, 0, p->most, &number, err) != 0)
            return -1;
        reset(options);
        p->set(options, number);
        return 0;
    }
    return no_preset(text, err);
}

/* Fill `plan`, which holds zeros, in place: options are large. */
static void plan_preset(struct hd_search_plan *plan, const char *name,
                        const struct hd_options *options)
{
    struct hd_err err;
    plan->name = name;
    hd_options_copy(&plan->options, options);
    if (hd_strategy_preset(&plan->options, name, &err) != 0)
        hd_bug("%s", err.text);
    plan->options.filters |= options->filters & HD_FILTER_DEPTH;
}

void hd_strategy_after_races(struct hd_options *o)
{
    bool goes_on = o->races == HD_RACES_WARN || (o->keep_going && o->races == HD_RACES_ERROR);
    if (o->memory == HD_MEMORY_RC11 && goes_on)
        o->memory = HD_MEMORY_RC11_PLAIN;
}

/* The search for programs that execute orders weaker than seq_cst. */
static void plan_weak(struct hd_plan *plan)
{
    struct hd_search_plan *weak = &plan->searches[HD_PLANNED_WEAK];
    plan_preset(weak, "graph", plan->options);
    weak->options.finer = 0;
    hd_rules_observe(&weak->options);
    hd_strategy_after_races(&weak->options);
    plan->refused.text[0] = 0;
    if (hd_rules_check(&weak->options, &plan->refused) != 0)
        weak->name = NULL;
}

static void plan_one(struct hd_plan *plan, enum hd_planned which)
{
    static const char *const names[HD_N_PLANNED] = { "optimal", "stateful", "stateful",
                                                     "graph",   "random",   "random",
                                                     "pct:3",   "pos",      "chess:2" };
    struct hd_search_plan *one = &plan->searches[which];
    struct hd_err refused;
    if (which == HD_PLANNED_WEAK) {
        plan_weak(plan);
        return;
    }
    const struct hd_search_plan *weak = which == HD_PLANNED_WEAK_SAMPLE
                                            ? hd_plan_search(plan, HD_PLANNED_WEAK)
                                            : NULL;
    plan_preset(one, names[which], plan->options);
    if (which != HD_PLANNED_WHOLE) {
        one->options.finer = 0;
        /* of a turn; portfolio.c says how many workers it has */
        one->options.jobs = which == HD_PLANNED_WEAK_SAMPLE ? one->options.jobs : 1;
    }
    hd_rules_observe(&one->options);
    if (which == HD_PLANNED_WEAK_SAMPLE) {
        one->name = weak ? "random graphs" : NULL;
        one->options.memory = weak ? weak->options.memory : one->options.memory;
    } else if (which == HD_PLANNED_ALIKE) {
        one->options.symmetric = HD_SYMMETRIC_TRIED;
        one->name = hd_rules_check(&one->options, &refused) == 0 ? one->name : NULL;
    }
}

void hd_strategy_plan(struct hd_plan *plan, const struct hd_options *options)
{
    plan->options = options;
    plan->make = plan_one;
    plan->made = 0;
    plan->refused.text[0] = 0;
}

int hd_strategy_search(struct hd_options *options, const char *text, struct hd_err *err)
{
    struct hd_nearest nearest;
    char list[200] = "";
    int found = set_search(options, "--search", text, err);
    if (found)
        return found == 1 ? 0 : -1;
    hd_nearest_init(&nearest, text);
    for (unsigned s = 0; s < HD_N_SEARCHES; s++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", s ? ", " : "",
                 hd_search_table[s].usage);
        hd_nearest_try(&nearest, hd_search_table[s].text);
    }
    return hd_err_set(err, "unknown search %.60s%s%s%s; there are: %s", text,
                      nearest.best ? " (did you mean " : "", nearest.best ? nearest.best : "",
                      nearest.best ? "?)" : "", list);
}

/* Threads of main by their number, as in T3. */
static int set_preferred(struct hd_options *options, const char *list, struct hd_err *err)
{
    char *copy = hd_strdup(list), *rest = copy, *word;
    int failed = 0;
    uint64_t n;
    options->preferred = 0;
    while (!failed && (word = strsep(&rest, ",")) != NULL) {
        failed = hd_number_parse("--heuristic prefer:", word + (*word == 'T'), 1, 63, &n, err);
        options->preferred |= failed ? 0 : 1ull << n;
    }
    free(copy);
    return failed;
}

int hd_strategy_heuristic(struct hd_options *options, const char *text, struct hd_err *err)
{
    static const char *const names[HD_N_HEURISTICS] = { "distance", "interleaving", "blocked",
                                                        "random",   "prefer",       "depth" };
    const char *rest;
    for (uint32_t i = 0; i < HD_N_HEURISTICS; i++) {
        if (!is_name(text, names[i], &rest) || (rest != NULL) != (i == HD_HEURISTIC_PREFER))
            continue;
        options->heuristic = i;
        return rest ? set_preferred(options, rest, err) : 0;
    }
    return hd_err_set(err,
                      "unknown heuristic %.40s; there are: distance, interleaving, blocked, "
                      "random, prefer:N,N, depth",
                      text);
}

static int no_filter(const char *name, struct hd_err *err)
{
    char list[300] = "none";
    const char *rest;
    for (size_t i = 0; i < N_PRESETS; i++)
        if (strcmp(name, presets[i].name) == 0 ||
            (presets[i].argument && is_name(name, presets[i].name, &rest)))
            return hd_err_set(err, "%.60s is a strategy: --strategy %.60s", name, name);
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, name);
    hd_nearest_try(&nearest, "none");
    for (unsigned i = 0; i < HD_N_FILTERS; i++) {
        size_t used = strlen(list);
        if (i == HD_FILTER_INDEX_DICE)
            continue;
        snprintf(list + used, sizeof list - used, ", %s%s%s", hd_filter_table[i].text,
                 hd_filter_table[i].argument.letter ? ":" : "",
                 hd_filter_table[i].argument.letter ? hd_filter_table[i].argument.letter : "");
        hd_nearest_try(&nearest, hd_filter_table[i].text);
    }
    return hd_err_set(err, "unknown reduction %.60s%s%s%s; there are: %s", name,
                      nearest.best ? " (did you mean " : "", nearest.best ? nearest.best : "",
                      nearest.best ? "?)" : "", list);
}

static int reduce_one(struct hd_options *options, const char *name, struct hd_err *err)
{
    if (strcmp(name, "none") == 0)
        return 0;
    if (strcmp(name, hd_filter_table[HD_FILTER_INDEX_DICE].text) == 0)
        return hd_err_set(err, "dice is a part of slice-n-dice: use --strategy slice-n-dice");
    for (unsigned i = 0; i < HD_N_FILTERS; i++) {
        const char *text = hd_filter_table[i].text;
        const struct hd_filter_argument *argument = &hd_filter_table[i].argument;
        size_t length = strlen(text);
        uint64_t number;
        if (strncmp(name, text, length) != 0 || name[length] != (argument->letter ? ':' : 0))
            continue;
        if (argument->letter) {
            char *option = hd_str_format("--reduce %s:", text);
            int failed = hd_number_parse(option, name + length + 1, argument->least,
                                         argument->most, &number, err);
            free(option);
            if (failed)
                return -1;
            *argument_of(options, i) = (uint32_t)number;
        }
        options->filters |= 1u << i;
        return 0;
    }
    return no_filter(name, err);
}

int hd_strategy_reduce(struct hd_options *options, const char *text, struct hd_err *err)
{
    options->filters &= hd_filters_not_reductions() | HD_FILTER_DICE;
    char *copy = hd_strdup(text), *rest = copy, *name;
    int failed = 0;
    bool none = false;
    while (!failed && (name = strsep(&rest, ","))) {
        failed = reduce_one(options, name, err);
        none |= strcmp(name, "none") == 0;
    }
    if (!failed && none && options->filters & ~(hd_filters_not_reductions() | HD_FILTER_DICE))
        failed = hd_err_set(
            err, "--reduce %.60s: none cannot be combined with a reduction; name one of the two",
            text);
    options->filters = hd_filters_needed(options->filters);
    free(copy);
    return failed;
}

int hd_strategy_finer(struct hd_options *options, const char *text, struct hd_err *err)
{
    char *copy = hd_strdup(text), *rest = copy, *name;
    int failed = 0;
    while (!failed && (name = strsep(&rest, ","))) {
        if (strcmp(name, "rmw") == 0)
            options->finer |= HD_FINER_RMW;
        else if (strcmp(name, "observers") == 0)
            options->finer |= HD_FINER_OBSERVERS;
        else if (strcmp(name, "locks") == 0)
            options->finer |= HD_FINER_LOCKS;
        else
            failed = hd_err_set(err, "--finer %.40s: there are rmw, observers, locks", name);
    }
    free(copy);
    return failed;
}

void hd_strategy_describe(struct hd_str *out, const struct hd_options *o)
{
    struct hd_options options = *o;
    hd_str_append(out, o->plugin.used ? hd_plugin_name(&o->plugin)
                       : o->swarm     ? "swarm"
                                      : hd_search_table[o->search].text);
    if (hd_search_table[o->search].takes_depth)
        hd_str_appendf(out, ":%u", o->pct_depth);
    if (o->plugin.used && o->plugin.argument[0])
        hd_str_appendf(out, ":%s", o->plugin.argument);
    if (!o->plugin.used && (o->shuffled || o->search != HD_SEARCH_DFS))
        hd_str_appendf(out, ":%llu", (unsigned long long)o->seed);
    for (unsigned i = HD_N_FILTERS; i-- > 0;) {
        if (!(o->filters & 1u << i))
            continue;
        hd_str_appendf(out, ", %s", hd_filter_table[i].text);
        if (hd_filter_table[i].argument.letter)
            hd_str_appendf(out, ":%s%u",
                           i == HD_FILTER_INDEX_PREEMPTIONS && o->iterative ? "0.." : "",
                           *argument_of(&options, i));
    }
}
