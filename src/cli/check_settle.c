#include "cli/check_settle.h"

#include "base/fs.h"
#include "base/key.h"
#include "strategy/rules.h"
#include "strategy/strategy.h"
#include "supervise/plan.h"
#include "supervise/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_CHECKPOINT_SECONDS 60

/* Most reductions by races do not know what a preemption bound cuts off.  Visited states do,
 * and bounded POR does, which several workers can share. */
static const char *default_preset(const struct hd_check *check, const struct hd_check_how *how)
{
    bool bounded = check->options.filters & HD_FILTER_PREEMPTIONS;
    if (!bounded || how->search || how->reduce)
        return HD_DEFAULT_STRATEGY;
    return check->options.jobs <= 1 ? "scale:nsb" : "inspect";
}

/* `auto` is a single search where its counts are compared, or where options say how states are
 * stored. */
static bool in_phases(const struct hd_check *check)
{
    const struct hd_options *o = &check->options;
    return !o->digest && !o->no_undo && !o->paranoid && !o->state_cache && !o->state_memory &&
           !o->state_store && !o->symmetric;
}

#define DEFAULT_QUEUE 100000

/* Options that only some other option, or a guided search, uses. */
static int settle_guidance(struct hd_check *check, struct hd_err *err)
{
    struct hd_options *o = &check->options;
    bool guided = hd_search_is_guided(o->search);
    if (o->input.most && !o->input.n_bytes)
        return hd_err_set(err, "--input-length needs --input nondet:BYTES");
    if (check->via.n && o->search != HD_SEARCH_GREEDY)
        return hd_err_set(err,
                          "--via is a way for --strategy meta: other searches do not follow it");
    if (!guided && (o->heuristic || o->queue))
        return hd_err_set(err,
                          "--heuristic and --queue are for a guided search: --strategy hgs or "
                          "meta");
    if (o->plugin.used && o->heuristic)
        return hd_err_set(err, "%s ranks states itself: leave out --heuristic",
                          hd_plugin_name(&o->plugin));
    if (o->filters & HD_FILTER_DICE && (check->checkpoint || check->resume))
        return hd_err_set(err, "slice-n-dice is several explorations, of which none can be kept: "
                               "leave out --checkpoint and --resume");
    if (o->swarm && o->jobs <= 1)
        return hd_err_set(err, "a swarm is several searches side by side: give -j 2 or more");
    if (o->swarm && (check->checkpoint || check->resume || check->trials))
        return hd_err_set(err, "the searches of a swarm are not kept, and there are no trials of "
                               "it: leave out --checkpoint, --resume and --trials");
    if (o->plugin.used && (check->checkpoint || check->resume))
        return hd_err_set(err, "what a strategy from outside remembers cannot be kept: leave out "
                               "--checkpoint and --resume");
    if (guided && o->queue == 0)
        o->queue = DEFAULT_QUEUE;
    if (check->trials) { /* every one of them is alone in its memory */
        check->trials_at_a_time = o->jobs;
        o->jobs = 1;
    }
    if (check->trials && (check->sarif || check->junit || check->html || check->github ||
                          check->checkpoint || check->resume || check->require_verified))
        return hd_err_set(err,
                          "--trials counts: its only output file is --json, and it says nothing "
                          "of a verdict");
    return 0;
}

/* Check early that the checkpoint can be written. */
static int check_checkpoint(const char *path, struct hd_err *err)
{
    if (hd_fs_exists(path) && !hd_fs_is_file(path))
        return hd_err_set(err, "cannot write the checkpoint %s: it is no regular file", path);
    struct hd_new_file file;
    struct hd_key key;
    struct hd_err why, ignored;
    if (hd_new_file_begin(&file, path, &why) != 0)
        return hd_err_set(err, "cannot write the checkpoint %s", why.text);
    hd_new_file_end(&file, true, &ignored);
    if (hd_key_get(&key, true, &why) != 0)
        fprintf(stderr,
                "heddle: warning: the checkpoint is not signed, so --resume will want --trust: "
                "%s\n",
                why.text);
    return 0;
}

static bool needs_graph(const struct hd_check_how *how)
{
    return how->memory && (strcmp(how->memory, "rc11") == 0 || strcmp(how->memory, "tso") == 0);
}

/* Models other than sequential consistency are explored over graphs. */
static int settle_memory(struct hd_check *check, const struct hd_check_how *how,
                         struct hd_err *err)
{
    bool graph = check->options.search == HD_SEARCH_GRAPH;
    bool samples = !check->options.plugin.used && (check->options.search == HD_SEARCH_RANDOM ||
                                                   check->options.search == HD_SEARCH_PCT);
    if (needs_graph(how) && !graph && !samples)
        return hd_err_set(err, "--memory %s needs the graph search, random or pct: leave out %s",
                          how->memory, how->search ? "--search" : "--strategy");
    graph = graph || (samples && needs_graph(how));
    bool rf = check->options.memory == HD_MEMORY_SC_RF;
    if (rf && needs_graph(how))
        return hd_err_set(err, "--strategy rf explores interleavings: leave out --memory %s",
                          how->memory);
    if (graph && how->memory && !rf)
        hd_memory_parse(how->memory, &check->options.memory);
    if (check->options.memory == HD_MEMORY_TSO &&
        (check->options.races != HD_RACES_ERROR || check->options.volatile_ok))
        return hd_err_set(err, "under --memory tso data races are no violations: leave out "
                               "--races");
    if (check->options.memory == HD_MEMORY_TSO && check->suppressions)
        return hd_err_set(err, "under --memory tso data races are no violations: leave out "
                               "--suppressions");
    if (check->options.memory == HD_MEMORY_TSO)
        check->options.races = HD_RACES_ALLOWED;
    hd_strategy_after_races(&check->options);
    if (graph && check->targets.n)
        return hd_err_set(err, "the graph search knows no states, so it takes no targets");
    if (graph && check->invariants.n)
        return hd_err_set(err, "the graph search knows no states, so it takes no invariants");
    return 0;
}

/* A part of a search needs a search that has parts. */
static int settle_parts(const struct hd_check *check, struct hd_err *err)
{
    if (check->work == HD_CHECK_ALL)
        return 0;
    if (check->phases)
        return hd_err_set(err, "auto is several searches, which cannot be split: leave out "
                               "--strategy auto (the graph search splits)");
    if (check->trials || check->checkpoint)
        return hd_err_set(err, "work units are parts of one search, which need no checkpoint: "
                               "leave out --trials, --checkpoint and --resume");
    if (check->work == HD_CHECK_SPLIT && check->options.max_executions)
        return hd_err_set(err, "--executions is for one unit (heddle check --unit): a split "
                               "ends when there are -n units; leave it out, or give --time");
    return hd_rules_split(&check->options, err);
}

/* A combination is refused in the words of the command line: a preset is several filters, whose
 * names the user may never have seen. */
static int refuse(const struct hd_check *check, const struct hd_check_how *how, bool bounded,
                  struct hd_err *err)
{
    const char *given[][2] = { { "--strategy", how->preset },
                               { "--search", how->search },
                               { "--reduce", how->reduce } };
    struct hd_err why = *err;
    struct hd_str typed;
    hd_str_init(&typed);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i][1])
            hd_str_appendf(&typed, "%s%s %.80s", typed.text[0] ? " " : "", given[i][0],
                           given[i][1]);
    if (bounded)
        hd_str_appendf(&typed, "%s--preemptions %u", typed.text[0] ? " " : "",
                       check->options.preemptions);
    hd_err_set(err, "%s%s%s", typed.text, typed.text[0] ? ": " : "", why.text);
    hd_str_release(&typed);
    return -1;
}

static int settle_strategy(struct hd_check *check, const struct hd_check_how *how,
                           struct hd_err *err)
{
    struct hd_options bounds = check->options, *o = &check->options;
    const char *preset = how->preset ? how->preset : default_preset(check, how);
    bool one = how->search || how->reduce || bounds.filters & ~(uint32_t)HD_FILTER_DEPTH;
    /* of the searches that split, the one that explores everything with the least work */
    bool splits = check->work != HD_CHECK_ALL && !how->preset && !one;
    bool weak = needs_graph(how) || splits;
    bool strong = how->memory && strcmp(how->memory, "sc") == 0;
    if (how->memory && !weak && !strong && strcmp(how->memory, "auto") != 0)
        return hd_err_set(err, "--memory %.20s: there are auto, sc, tso, rc11", how->memory);
    check->strong = strong;
    preset = weak && !how->preset ? "graph" : preset;
    if (hd_strategy_preset(o, preset, err) != 0)
        return -1;
    if (one && how->preset && strcmp(preset, "auto") == 0)
        return hd_err_set(err,
                          "auto chooses searches and bounds itself: leave out --strategy auto, "
                          "or --search, --reduce and --preemptions");
    check->phases = !one && strcmp(preset, "auto") == 0 && in_phases(check);
    if ((how->search && hd_strategy_search(o, how->search, err) != 0) ||
        (how->reduce && hd_strategy_reduce(o, how->reduce, err) != 0))
        return -1;
    /* --depth and --preemptions apply with any preset. */
    o->filters |= bounds.filters;
    if (bounds.filters & HD_FILTER_DEPTH)
        o->depth = bounds.depth;
    if (bounds.filters & HD_FILTER_PREEMPTIONS)
        o->preemptions = bounds.preemptions;
    if (bounds.filters & HD_FILTER_PREEMPTIONS && o->filters & HD_FILTER_STATES)
        o->filters &= ~(uint32_t)HD_FILTER_EAGER; /* a hidden step would be a preemption */
    if (o->filters & HD_FILTER_LIKE_SCALE && o->filters & HD_FILTER_SUPER_STEP)
        o->filters ^= HD_FILTER_SUPER_STEP | HD_FILTER_SUPER_STEP_THESIS;
    hd_rules_observe(o);
    if (settle_memory(check, how, err) != 0 || settle_guidance(check, err) != 0)
        return -1;
    if ((check->unsound ? hd_rules_check_unsound : hd_rules_check)(o, err) != 0)
        return refuse(check, how, bounds.filters & HD_FILTER_PREEMPTIONS, err);
    if (settle_parts(check, err) != 0)
        return -1;
    struct hd_str text;
    hd_str_init(&text);
    if (one)
        hd_strategy_describe(&text, o);
    else
        hd_str_append(&text, weak && strcmp(preset, "auto") == 0 ? "graph"
                             : weak || how->preset               ? preset
                                                                 : HD_DEFAULT_STRATEGY);
    if (!one && bounds.filters & HD_FILTER_DEPTH)
        hd_str_appendf(&text, ", depth:%u", bounds.depth);
    if (o->finer & HD_FINER_RMW)
        hd_str_append(&text, ", finer:rmw");
    if (o->finer & HD_FINER_OBSERVERS)
        hd_str_append(&text, ", finer:observers");
    if (o->finer & HD_FINER_LOCKS)
        hd_str_append(&text, ", finer:locks");
    check->strategy = hd_str_detach(&text);
    return 0;
}

void hd_check_plan(const struct hd_check *check, struct hd_plan *plan)
{
    hd_strategy_plan(plan, &check->options);
    if (!check->strong && !check->targets.n && !check->invariants.n)
        return;
    plan->searches[HD_PLANNED_WEAK].name = plan->searches[HD_PLANNED_WEAK_SAMPLE].name = NULL;
    plan->made |= 1u << HD_PLANNED_WEAK | 1u << HD_PLANNED_WEAK_SAMPLE;
    hd_err_set(&plan->refused, check->strong      ? "--memory sc was given"
                               : check->targets.n ? "it takes no targets"
                                                  : "it takes no invariants");
}

/* Only one document fits on standard output. */
static int one_stdout(const struct hd_check *check, struct hd_err *err)
{
    const char *const files[] = { check->json, check->sarif, check->junit, check->html };
    int n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        n += files[i] && strcmp(files[i], "-") == 0;
    return n > 1 ? hd_err_set(err, "only one of --json, --sarif, --junit and --html can be -")
                 : 0;
}

/* Combinations that are wrong in any exploration. */
static int check_together(struct hd_check *check, struct hd_err *err)
{
    if (check->trust && !check->resume && check->work != HD_CHECK_UNIT &&
        check->work != HD_CHECK_MERGE && check->work != HD_CHECK_DISTRIBUTED)
        return hd_err_set(err, "--trust is for a checkpoint: give --resume FILE, too");
    if (check->resume && !check->checkpoint)
        check->checkpoint = check->resume;
    if (check->checkpoint_seconds > 0 && !check->checkpoint)
        return hd_err_set(err, "--checkpoint-every says how often; give --checkpoint FILE, too");
    if (check->checkpoint_seconds == 0)
        check->checkpoint_seconds = DEFAULT_CHECKPOINT_SECONDS;
    if (check->quiet && check->verbose)
        return hd_err_set(err, "--quiet and --verbose contradict each other: leave out one");
    if (one_stdout(check, err) != 0)
        return -1;
    if (check->files.n == 0)
        return hd_err_set(err, "nothing to check: give C files or a program built by heddle; see "
                               "`heddle check --help`");
    if (check->checkpoint && check_checkpoint(check->checkpoint, err) != 0)
        return -1;
    return 0;
}

static int settle_ranks(struct hd_check *check, struct hd_err *err)
{
    if (check->ledger && !check->distributed)
        return hd_err_set(err, "--ledger says where a distributed search is kept: give "
                               "--distributed, too");
    if (check->group && !check->distributed)
        return hd_err_set(err, "--group says how many ranks of a distributed search have one "
                               "leader: give --distributed, too");
    if (!check->distributed)
        return 0;
    if (check->work != HD_CHECK_ALL)
        return hd_err_set(err, "--distributed explores everything: give it to `heddle check`, "
                               "and leave out --unit");
    check->work = HD_CHECK_DISTRIBUTED;
    check->units = check->ledger ? check->ledger : HD_DEFAULT_LEDGER;
    return 0;
}

int hd_check_settle(struct hd_check *check, const struct hd_check_how *how, struct hd_err *err)
{
    if (settle_ranks(check, err) != 0)
        return -1;
    return check_together(check, err) != 0 ? -1 : settle_strategy(check, how, err);
}
