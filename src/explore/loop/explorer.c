/* The loop of SCALE's Algorithm 2, driven from outside (world.h).
 *
 *           decide (new node)            ended / nothing open
 *   root ──────────────────▶ forward ───────────────────────▶ search.resume
 *                             ▲   │ RUN                            │
 *                             └───┘                 REWIND d ◀─────┤
 *                decide (depth < target):                          ▼
 *                the recorded step again                          STOP
 *
 * Invariants, beside those of path.h (hd_explorer_check):
 *  E1  path.depth < target: nodes [depth, target) hold recorded steps that are to be done; those
 *      below `counted` have happened before, so at most the last is new
 *  E2  every filter has been told `ran` for exactly the steps [0, notified), in order; told is depth,
 *      or less: of the steps from notify_until on because they can make no difference, of those
 *      below it because it will do before the execution is over (fast_path.c)
 *  E3  executions + blocked + pruned + bounded is the number of executions that are over */
#include "explore/loop/explorer.h"

#include "base/hash.h"
#include "core/enabled.h"
#include "explore/checks/partial_deadlock.h"
#include "explore/jobs/split.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/record.h"
#include "explore/loop/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hd_decision run(uint32_t alternative)
{
    return (struct hd_decision){ HD_RUN, alternative };
}

static struct hd_decision stop(struct hd_explorer *ex, enum hd_state state)
{
    if (ex->split)
        hd_split_stop(ex);
    ex->shared->ctl.state = state;
    return (struct hd_decision){ HD_STOP, 0 };
}

static struct hd_decision gave_up(struct hd_explorer *ex)
{
    memcpy(ex->shared->ctl.error, ex->error, sizeof ex->error);
    return stop(ex, HD_STATE_ERROR);
}

/* The path has been cut back from `n_nodes`; now and then say how far the exploration is. */
static void estimate(struct hd_explorer *ex, uint32_t n_nodes)
{
    uint32_t kept = ex->path.n_nodes;
    ex->path.n_nodes = n_nodes;
    hd_estimate_left(&ex->estimate, &ex->path, kept);
    ex->path.n_nodes = kept;
    bool ends = hd_estimate_ends(&ex->estimate, ex->cnt->max_depth) &&
                !ex->cnt->dropped[HD_FILTER_INDEX_DEPTH];
    if (!ends)
        ex->cnt->explored = 0;
    else if ((ex->executions_begun & 255) == 0 || ex->executions_begun < 256)
        ex->cnt->explored = hd_estimate_explored(&ex->estimate, &ex->path);
}

/* Explore from the beginning once more. */
static struct hd_decision from_the_root(struct hd_explorer *ex)
{
    ex->cnt->explored = 0;
    memset(&ex->estimate, 0, sizeof ex->estimate);
    ex->cnt->begun_before = ex->executions_begun;
    ex->path.n_nodes = 0;
    ex->target = ex->counted = 0;
    ex->cnt->begun = ++ex->executions_begun;
    return (struct hd_decision){ HD_REWIND, 0 };
}

static bool limit_reached(const struct hd_explorer *ex)
{
    bool samples = hd_search_samples(ex->opt->search);
    uint64_t others = samples ? ex->cnt->bounded + ex->cnt->assumed : 0;
    uint64_t executions = ex->cnt->executions + others;
    return (ex->opt->max_executions && executions >= ex->opt->max_executions) ||
           (ex->opt->max_work && hd_counters_work(ex->cnt) >= ex->opt->max_work);
}

/* Nothing is open: is that all? */
static __attribute__((noinline)) struct hd_decision all_explored(struct hd_explorer *ex)
{
    bool again = false;
    if (ex->opt->iterative && ex->bound < ex->opt->preemptions &&
        ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS]) {
        ex->cnt->bound_now = ++ex->bound;
        ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS] = 0;
        return from_the_root(ex);
    }
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->over)
            ex->filters[i]->over(ex->filter_state[i], ex);
    if (ex->error[0])
        return gave_up(ex);
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->again)
            again = ex->filters[i]->again(ex->filter_state[i], ex) || again;
    if (again && !ex->stop_here) {
        ex->start_again = false;
        ex->cnt->passes++;
        ex->cnt->choices_before = ex->cnt->choices;
        return from_the_root(ex);
    }
    if (ex->races)
        hd_races_over(ex->races, ex);
    ex->cnt->finished = 1;
    return stop(ex, HD_STATE_DONE);
}

/* The execution is over: where to go on? */
static struct hd_decision turn_to_next(struct hd_explorer *ex)
{
    if (ex->error[0])
        return gave_up(ex);
    if (ex->stop_here)
        return stop(ex, HD_STATE_STOPPED);
    if (ex->limited && limit_reached(ex))
        return stop(ex, HD_STATE_DONE);
    if (ex->split && __atomic_load_n(&ex->split->tree->head.stop, __ATOMIC_RELAXED))
        return stop(ex, HD_STATE_DONE);
    if (__atomic_load_n(&ex->shared->ctl.stop, __ATOMIC_RELAXED))
        return stop(ex, HD_STATE_DONE);
    if (ex->cnt->orders_less && ex->races && ex->races->lacks_sets)
        return stop(ex, HD_STATE_WEAK);
    if (ex->split)
        hd_split_feed(ex);
    for (uint32_t w = ex->hear_turn; w; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        ex->filters[i]->turn(ex->filter_state[i], ex);
    }
    uint32_t n_nodes = ex->path.n_nodes;
    int64_t depth = ex->start_again ? -1 : ex->search->resume(ex);
    if (hd_explorer_estimates(ex))
        estimate(ex, n_nodes);
    if (depth < 0 && ex->split) {
        depth = hd_split_next(ex);
        if (depth < 0)
            return stop(ex, HD_STATE_DONE);
    }
    if (depth < 0)
        return all_explored(ex);
    ex->counted = ex->target ? ex->target - 1 : 0;
    ex->cnt->begun = ++ex->executions_begun;
    return (struct hd_decision){ HD_REWIND, (uint32_t)depth };
}

/* … whose races have not been looked at. */
static struct hd_decision next_execution(struct hd_explorer *ex)
{
    hd_explorer_notify_in_time(ex);
    if (ex->races)
        hd_races_look(ex->races, ex);
    return turn_to_next(ex);
}

/* Iterative bounding runs the executions of the bounds before again; only those that need the
 * whole of the current bound are new. */
static bool counts(const struct hd_explorer *ex)
{
    return !ex->opt->iterative || ex->bound == 0 ||
           hd_path_preemptions(&ex->path, ex->path.depth) == ex->bound;
}

/* Something has written into memory that is not its own: nothing that follows could be trusted. */
static struct hd_decision overwritten(struct hd_explorer *ex)
{
    static const char text[] = "the program wrote into heddle's own memory";
    memcpy(ex->shared->ctl.error, text, sizeof text);
    return stop(ex, HD_STATE_ERROR);
}

/* The execution is over.  `finding` is what the filters hear of its end, `violation` what is
 * reported, or NULL.  `assumed`: it ends against an assumption, so it is none of the program's. */
static struct hd_decision over(struct hd_explorer *ex, const struct hd_finding *finding,
                               const struct hd_finding *violation, bool assumed)
{
    hd_explorer_notify_in_time(ex);
    if (finding)
        hd_explorer_catch_up(ex);
    if (ex->guard != HD_EXPLORER_GUARD || ex->guard_behind != HD_EXPLORER_GUARD)
        return overwritten(ex);
    bool against = assumed || hd_config_undid(ex->world.config);
    uint32_t depth = ex->shared->depth; /* with a row of joins that is left out */
    ex->shared->depth = ex->path.depth;
    if (counts(ex)) {
        if (ex->split && !against && !hd_split_counts(ex))
            return stop(ex, HD_STATE_DONE);
        *(against ? &ex->cnt->assumed : &ex->cnt->executions) += 1;
    }
    if (ex->races)
        hd_races_look(ex->races, ex);
    for (uint32_t w = ex->hear_end; w; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        ex->filters[i]->ended(ex->filter_state[i], ex, finding);
    }
    if (ex->races)
        hd_races_ended(ex->races, ex, finding);
    if (depth > ex->cnt->max_depth)
        ex->cnt->max_depth = depth;
    if (violation && hd_record_finding(ex, violation) && !ex->opt->keep_going)
        return stop(ex, HD_STATE_STOPPED);
    return turn_to_next(ex);
}

/* Has the process ended inside an atomic section, with no step of its own?  Filters see that as they see
 * a step that breaks the program: nobody could know of it before. */
static bool ends_inside(const struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    uint16_t op = depth ? ex->path.nodes[depth - 1].action.op : HD_OP_NONE;
    return op == HD_OP_ATOMIC || op == HD_OP_CHOOSE_INSIDE;
}

struct hd_decision hd_explorer_ended(struct hd_explorer *ex, const struct hd_finding *finding)
{
    static const struct hd_finding breaks = { .kind = HD_KIND_NONE };
    bool assumed = finding && finding->kind == HD_KIND_NONE;
    return over(ex, !finding && ends_inside(ex) ? &breaks : finding, assumed ? NULL : finding,
                assumed);
}

static struct hd_decision violated(struct hd_explorer *ex, enum hd_kind kind, uint32_t which)
{
    struct hd_finding finding = { .kind = kind, .line = which };
    ex->world.describe(ex->world.self, &finding);
    return hd_explorer_ended(ex, &finding);
}

void hd_explorer_rewound(struct hd_explorer *ex, uint32_t depth)
{
    ex->path.depth = depth;
    ex->shared->depth = depth;
    ex->notified = ex->notified < depth ? ex->notified : depth;
    ex->notify_until = 0;
    hd_explorer_look_again(ex);
    for (uint32_t w = ex->hear_back; w; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        ex->filters[i]->back(ex->filter_state[i], ex, depth);
    }
    if (ex->races)
        hd_races_back(ex->races, ex, depth);
    if (ex->lock_orders)
        hd_lock_orders_back(ex->lock_orders, depth);
}

/* Do the taken alternative of node `depth`, whose action is set. */
HD_HOT struct hd_decision take(struct hd_explorer *ex, uint32_t depth, uint32_t alternative)
{
    ex->path.steps[depth] = alternative;
    hd_explorer_notify(ex, depth);
    if (depth >= ex->counted) {
        ex->cnt->events++;
        if (__builtin_expect(ex->opt->digest, 0))
            hd_explorer_digest(ex, alternative, &ex->path.nodes[depth].action);
        ex->counted = depth + 1;
    } else {
        ex->cnt->replayed++;
    }
    ex->path.depth = depth + 1;
    ex->shared->depth = depth + 1;
    return run(alternative);
}

static inline struct hd_action outcome(const struct hd_explorer *ex, uint32_t thread)
{
    struct hd_action a = ex->world.config->next[thread];
    if (hd_op_has_outcome((enum hd_op)a.op))
        a.op = (uint8_t)ex->world.outcome(ex->world.self, thread);
    return a;
}

void hd_explorer_give_up(struct hd_explorer *ex, const char *text)
{
    snprintf(ex->error, sizeof ex->error, "%s", text);
    hd_explorer_look_again(ex);
}

struct hd_action hd_explorer_outcome(const struct hd_explorer *ex, uint32_t thread)
{
    return outcome(ex, thread);
}

static struct hd_decision diverged(struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    hd_record_divergence(ex, depth, thread);
    memcpy(ex->shared->ctl.error, ex->error, sizeof ex->error);
    return stop(ex, HD_STATE_DIVERGED);
}

/* Room for the alternatives of one more node: every thread, and the most choices of each. */
#define ROOM (64ull * HD_MAX_STEPS - 65536 - HD_MAX_THREADS)
static bool room(uint64_t alts) { return alts <= ROOM; }

/* Where the next alternatives are listed. */
static inline uint64_t alts_of_next(const struct hd_path *p)
{
    const struct hd_node *node = &p->nodes[p->depth];
    return node[-1].alts + node[-1].n_alts;
}

/* Up to which depth may the nodes from here on be ones with a single alternative?  Such a node
 * has one entry in the list of alternatives. */
static inline uint32_t alone_until(const struct hd_explorer *ex)
{
    uint64_t alts = alts_of_next(&ex->path);
    if (!ex->straight || ex->world.config->n_threads > 64 || !room(alts))
        return 0;
    uint64_t until = ex->path.depth + 1 + (ROOM - alts);
    return until < ex->opt->depth ? (uint32_t)until : ex->opt->depth;
}

/* Things are as they mostly are (fast_path.c). */
static inline bool usual(const struct hd_explorer *ex)
{
    return ex->optimal && !ex->watched && !ex->world.config->invariants &&
           (!ex->split || ex->path.depth > ex->base);
}

static inline void look_ahead(struct hd_explorer *ex)
{
    ex->straight_until = alone_until(ex);
    ex->quick_until = usual(ex) ? ex->straight_until : 0;
}

/* The step that is recorded at the node, now that its state is there.  False: it cannot be made. */
static inline bool recorded(struct hd_explorer *ex, uint32_t depth, uint32_t *alternative)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const struct hd_config *config = ex->world.config;
    if (node->unsure && depth + 1 == ex->path.n_nodes)
        hd_explorer_list_choices(ex, depth);
    *alternative = hd_path_alts(&ex->path, depth)[node->taken];
    uint32_t thread = HD_STEP_THREAD(*alternative);
    return thread < config->n_threads && hd_tset_has(&config->enabled, thread);
}

static struct hd_decision recorded_step(struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth, alternative;
    struct hd_node *node = &ex->path.nodes[depth];
    bool can = recorded(ex, depth, &alternative);
    uint32_t thread = HD_STEP_THREAD(alternative);
    if (!can)
        return diverged(ex, depth, thread);
    struct hd_action action = outcome(ex, thread);
    if (depth < ex->counted && !hd_action_same(&action, &node->action))
        return diverged(ex, depth, thread);
    node->action = action;
    struct hd_decision decision = take(ex, depth, alternative);
    bool on_the_way = depth + 1 < ex->target;
    if (on_the_way || ex->error[0])
        hd_explorer_look_again(ex);
    else
        look_ahead(ex);
    if (ex->fatal_at != depth + 1)
        return decision;
    ex->fatal_at = 0;
    return hd_explorer_ended(ex, &ex->fatal);
}

/* … the one that is new, as most are: there was a way back to right before it. */
static struct hd_decision other_step(struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth, alternative;
    struct hd_node *node = &ex->path.nodes[depth];
    bool can = recorded(ex, depth, &alternative);
    uint32_t thread = HD_STEP_THREAD(alternative);
    if (!can)
        return diverged(ex, depth, thread);
    ex->shared->ctl.heartbeat++;
    ex->path.steps[depth] = alternative;
    ex->cnt->events++;
    ex->path.depth = ex->shared->depth = ex->notified = depth + 1;
    hd_explorer_set_action(ex, node, thread);
    if (ex->lock_orders && hd_lock_orders_concern(node->action.op))
        hd_lock_orders_ran(ex->lock_orders, ex, depth);
    hd_optimal_ran(ex->optimal, ex, depth);
    ex->counted = depth + 1;
    if (!ex->error[0])
        look_ahead(ex);
    return run(alternative);
}

/* Write out the alternatives of the current state, by thread id. */
static inline uint32_t alternatives(const struct hd_config *config, uint32_t *alts)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < hd_tset_words(config->n_threads); i++)
        for (uint64_t w = config->enabled.w[i]; w; w &= w - 1) {
            uint32_t thread = i * 64 + (uint32_t)__builtin_ctzll(w);
            uint32_t choices = config->next[thread].choices;
            alts[n++] = thread;
            for (uint32_t c = 1; c < choices; c++)
                alts[n++] = HD_STEP_PACK(thread, c);
        }
    return n;
}

/* A bound has cut the execution.  What a race reversal can learn of it, it learns; not so of
 * one that filled all the memory for steps, a loop that does not end: there would be no end of
 * reversals. */
static void bounded(struct hd_explorer *ex, bool endless, bool learns)
{
    ex->cnt->bounded++;
    if (ex->path.depth > ex->cnt->max_depth)
        ex->cnt->max_depth = ex->path.depth;
    if (endless)
        hd_stuck_at_end(ex);
    for (uint32_t i = 0; i < ex->n_filters && learns; i++)
        if (hd_filter_table[ex->filters[i]->index].traits & HD_TRAIT_SLEEPS &&
            ex->filters[i]->ended)
            ex->filters[i]->ended(ex->filter_state[i], ex, NULL);
}

/* Let the filters look at a new node; 0 when none of its n alternatives is left.  Bounds come first
 * (their stages are lower): what they drop is not to be opened by anybody. */
static uint32_t admitted(struct hd_explorer *ex, uint32_t *alts, uint32_t n, uint32_t *allowed)
{
    *allowed = n;
    if (ex->n_filters == 1 && ex->path.depth < ex->opt->depth)
        return n; /* the depth bound alone, and it is not reached */
    for (uint32_t i = 0; i < ex->n_filters; i++) {
        if (!ex->filters[i]->admit)
            continue;
        n = ex->filters[i]->admit(ex->filter_state[i], ex, alts, n);
        uint32_t traits = hd_filter_table[ex->filters[i]->index].traits;
        if (traits & HD_TRAIT_BOUND)
            *allowed = n;
        if (n == 0) {
            if (traits & HD_TRAIT_BOUND)
                bounded(ex, ex->path.depth >= HD_MAX_STEPS - 1,
                        ex->opt->depth < HD_MAX_STEPS - 1);
            else if (traits & HD_TRAIT_SLEEPS)
                ex->cnt->blocked++;
            else
                ex->cnt->pruned++;
            return 0;
        }
    }
    return n;
}

/* Has the thread of the last step come to an operation that it cannot do? */
static inline bool waits(const struct hd_config *config)
{
    return hd_tset_has(&config->live, config->last) &&
           !hd_tset_has(&config->enabled, config->last);
}

/* A deadlock, unless a thread is held by an assumption that does not hold: then it is none, as that
 * thread has a step left, which ends the execution.  Or a thread spins, and the process never ends.
 * To the filters these are the same. */
static struct hd_decision nobody_moves(struct hd_explorer *ex)
{
    static const struct hd_finding end = { .kind = HD_KIND_DEADLOCK };
    struct hd_finding spins = { .kind = HD_KIND_NO_PROGRESS };
    bool assumes = hd_config_stands(ex->world.config, HD_OP_ASSUME);
    if (!assumes && !hd_config_stands(ex->world.config, HD_OP_SPIN))
        return violated(ex, HD_KIND_DEADLOCK, 0);
    if (waits(ex->world.config))
        hd_partial_deadlock_at_node(ex);
    if (!assumes)
        ex->world.describe(ex->world.self, &spins);
    return over(ex, &end, assumes ? NULL : &spins, assumes);
}

static struct hd_decision new_node(struct hd_explorer *ex, bool not_alone)
{
    struct hd_path *p = &ex->path;
    const struct hd_config *config = ex->world.config;
    uint32_t depth = p->depth;
    struct hd_node *node = &p->nodes[depth];
    hd_explorer_notify_in_time(ex);
    if (__builtin_expect(depth == ex->base, 0) && ex->split)
        hd_split_survived(ex);
    if (!not_alone || depth >= ex->straight_until) {
        look_ahead(ex);
        uint32_t thread = hd_explorer_take_alone(ex);
        if (thread != HD_NO_SINGLE)
            return run(thread);
    }
    node->alts = node[-1].alts + node[-1].n_alts;
    node->last = config->last;
    node->enabled = 0;
    node->unsure = node->straight = false;
    if (!room(node->alts)) {
        ex->cnt->bounded++;
        ex->cnt->dropped[HD_FILTER_INDEX_DEPTH] = 1;
        return next_execution(ex);
    }
    uint32_t *alts = p->alts + node->alts;
    uint32_t n = alternatives(config, alts);
    node->n_alts = n;
    p->n_nodes = depth; /* not on the path before something is taken */
    if (n == 0 && ex->world.cut && ex->world.cut(ex->world.self)) {
        bounded(ex, true, true);
        return next_execution(ex);
    }
    if (n == 0)
        return nobody_moves(ex);
    if (ex->races)
        hd_races_at_node(ex->races, ex);
    if (waits(config))
        hd_partial_deadlock_at_node(ex);
    n = admitted(ex, alts, n, &node->n_allowed);
    if (n == 0) {
        if (depth > ex->cnt->max_depth)
            ex->cnt->max_depth = depth;
        return next_execution(ex);
    }
    if (ex->search->visit && !ex->search->visit(ex, alts, n))
        return next_execution(ex);
    if (ex->search->order)
        ex->search->order(ex, alts, n);
    node->n_open = n;
    node->taken = 0;
    hd_path_opened(p, depth);
    ex->cnt->choices += n > 1;
    hd_explorer_set_action(ex, node, HD_STEP_THREAD(alts[0]));
    p->n_nodes = depth + 1;
    ex->target = depth + 1;
    struct hd_decision decision = take(ex, depth, alts[0]);
    if (!ex->error[0])
        look_ahead(ex);
    return decision;
}

/* `not_alone`: it is known that the new node, if there is to be one, is none for a single
 * alternative, as far as straight_until allowed it to be looked at. */
static __attribute__((noinline)) struct hd_decision decide_among(struct hd_explorer *ex,
                                                                 bool not_alone)
{
    ex->shared->ctl.heartbeat++;
    hd_explorer_catch_up(ex);
    if (__builtin_expect(ex->error[0], 0))
        return gave_up(ex);
    if (__builtin_expect(ex->opt->paranoid, 0))
        hd_explorer_check(ex);
    if (__builtin_expect(ex->world.config->invariants, 0)) {
        if (ex->opt->finer)
            hd_explorer_give_up(ex, "--finer keeps the states at the ends of executions, and an "
                                    "invariant looks at those between: leave out --finer");
        int32_t which = ex->world.broken(ex->world.self);
        if (!hd_invariants_known(ex) && (which < 0 || ex->opt->keep_going))
            return stop(ex, HD_STATE_GREW);
        if (which >= 0)
            return violated(ex, which == HD_TARGETS_REACHED ? HD_KIND_TARGET : HD_KIND_INVARIANT,
                            (uint32_t)which);
    }
    if (ex->path.depth < ex->target)
        return recorded_step(ex);
    return new_node(ex, not_alone);
}

static __attribute__((noinline)) struct hd_decision decide_any(struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    if (depth + 1 == ex->target && depth == ex->notified && depth == ex->counted && usual(ex) &&
        !ex->error[0] && !ex->fatal_at)
        return other_step(ex);
    bool look = !ex->watched && !ex->world.config->invariants;
    uint32_t thread = look ? hd_explorer_take_alone(ex) : HD_NO_SINGLE;
    return thread != HD_NO_SINGLE ? run(thread) : decide_among(ex, look);
}

struct hd_decision hd_explorer_decide(struct hd_explorer *ex)
{
    if (ex->path.depth >= ex->quick_until)
        return decide_any(ex);
    uint32_t thread = hd_explorer_take_alone_quickly(ex);
    return thread != HD_NO_SINGLE ? run(thread) : decide_among(ex, true);
}

void hd_explorer_revive(struct hd_explorer *ex, const struct hd_world *world,
                        const struct hd_finding *finding)
{
    ex->world = *world;
    ex->opt = &ex->shared->options;
    hd_explorer_bind(ex);
    hd_explorer_row_over(ex);
    uint32_t depth = ex->path.depth;
    if (finding && depth == 0) { /* before the first step: there is nothing else to explore */
        hd_explorer_ended(ex, finding);
        return;
    }
    if (finding) { /* the filters learn of the end where they can see the state it ended in */
        ex->fatal = *finding;
        ex->fatal_at = depth;
    }
    if (finding || depth >= ex->target) /* otherwise it was on the way to where it is to go on */
        ex->target = ex->counted = depth;
    hd_explorer_rewound(ex, 0);
}

void hd_explorer_go_on(struct hd_explorer *ex, const struct hd_world *world)
{
    ex->world = *world;
    ex->opt = &ex->shared->options;
    hd_explorer_bind(ex);
    if (next_execution(ex).kind == HD_REWIND)
        hd_explorer_rewound(ex, 0);
}
