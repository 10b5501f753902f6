/* The loop of SCALE's Algorithm 2, driven from outside (world.h).
 *
 *           decide (new node)            ended / nothing open
 *   root ──────────────────▶ forward ───────────────────────▶ search.resume
 *                             ▲   │ RUN                            │
 *                             └───┘                 REWIND d ◀─────┤
 *                decide (depth < target):                          ▼
 *                the recorded step again                          STOP
 *
 * Below marks.target recorded steps are repeated.  Those below marks.counted have happened
 * before, so at most the last recorded step is new. */
#include "explore/loop/explorer.h"

#include "base/hash.h"
#include "core/enabled.h"
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

static struct hd_decision violated(struct hd_explorer *ex, struct hd_finding *finding)
{
    ex->world.describe(ex->world.self, finding);
    return hd_explorer_ended(ex, finding);
}

/* Run the taken alternative of node `depth`, whose action is set. */
HD_HOT struct hd_decision take(struct hd_explorer *ex, uint32_t depth, uint32_t alternative)
{
    ex->path.steps[depth] = alternative;
    hd_explorer_notify(ex, depth);
    if (depth >= ex->marks.counted) {
        ex->cnt->events++;
        if (__builtin_expect(ex->opt->digest, 0))
            hd_explorer_digest(ex, alternative, &ex->path.nodes[depth].action);
        ex->marks.counted = depth + 1;
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
    return hd_explorer_stop(ex, HD_STATE_DIVERGED);
}

/* Room for the alternatives of one more node: every thread, and the most choices of each. */
#define ROOM (64ull * HD_MAX_STEPS - 65536 - HD_MAX_THREADS)
static bool room(uint64_t alts) { return alts <= ROOM; }

uint64_t hd_explorer_alts_left(const struct hd_explorer *ex, uint64_t at)
{
    (void)ex;
    return room(at) ? ROOM - at : 0;
}

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
    if (!room(alts))
        return 0;
    uint64_t until = ex->path.depth + 1 + (ROOM - alts);
    return until < ex->opt->depth ? (uint32_t)until : ex->opt->depth;
}

/* May the filter's fast path be taken? */
static inline bool is_fast(const struct hd_explorer *ex)
{
    return ex->fast && !ex->checks.ran[HD_SPACE_MEM] && !ex->world.config->invariants &&
           (!ex->split || ex->path.depth > ex->marks.base);
}

/* The same with more than 64 threads: only the fast path knows sets of several words.  Its
 * functions for many threads are right for few as well, so they stay. */
static HD_RARE void look_ahead_among_many(struct hd_explorer *ex)
{
    bool fast = ex->many && is_fast(ex) && !ex->split;
    if (fast)
        ex->fast = ex->many;
    ex->marks.single_until = ex->marks.fast_until = fast ? alone_until(ex) : 0;
}

static inline void look_ahead(struct hd_explorer *ex)
{
    if (!ex->may_go_on)
        return;
    if (__builtin_expect(ex->world.config->n_threads > 64, 0)) {
        look_ahead_among_many(ex);
        return;
    }
    ex->marks.single_until = alone_until(ex);
    ex->marks.fast_until = is_fast(ex) ? ex->marks.single_until : 0;
}

/* A node from a work unit: can its alternatives be those of the state?  Explored alternatives
 * are taken for existing threads without a further check. */
static HD_RARE bool are_possible(struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    ex->foreign = depth + 1 < ex->path.n_nodes;
    for (uint32_t i = 0; i < node->n_alts; i++)
        if (HD_STEP_THREAD(alts[i]) >= ex->world.config->n_threads)
            return false;
    return true;
}

/* The recorded step of the node, whose state has been reached.  False if the step cannot run
 * there. */
static inline bool recorded(struct hd_explorer *ex, uint32_t depth, uint32_t *alternative)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const struct hd_config *config = ex->world.config;
    *alternative = hd_path_alts(&ex->path, depth)[node->taken];
    if (__builtin_expect(ex->foreign, 0) && !are_possible(ex, depth))
        return false;
    if (node->unsure && depth + 1 == ex->path.n_nodes) {
        hd_explorer_list_choices(ex, depth);
        *alternative = hd_path_alts(&ex->path, depth)[node->taken];
    }
    uint32_t thread = HD_STEP_THREAD(*alternative), choice = HD_STEP_CHOICE(*alternative);
    return thread < config->n_threads && hd_tset_has(&config->enabled, thread) &&
           (!choice || choice < config->next[thread].choices);
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
    if (depth < ex->marks.counted && !hd_action_same(&action, &node->action))
        return diverged(ex, depth, thread);
    node->action = action;
    struct hd_decision decision = take(ex, depth, alternative);
    bool on_the_way = depth + 1 < ex->marks.target;
    if (on_the_way || ex->error[0])
        hd_explorer_look_again(ex);
    else
        look_ahead(ex);
    if (ex->fatal_at != depth + 1)
        return decision;
    ex->fatal_at = 0;
    return hd_explorer_died(ex, &ex->fatal);
}

/* The recorded step is new and the state right before it was restored, which is the usual
 * case. */
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
    hd_explorer_set_action(ex, node, thread);
    hd_explorer_notify(ex, depth);
    ex->path.depth = ex->shared->depth = depth + 1;
    ex->marks.counted = depth + 1;
    if (__builtin_expect(ex->watched, 0))
        hd_explorer_watch(ex, depth);
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
#pragma clang loop vectorize(disable) unroll(disable)
            for (uint32_t c = 1; c < choices; c++)
                alts[n++] = HD_STEP_PACK(thread, c);
        }
    return n;
}

/* A bound has cut the execution.  Race reversals still learn from it, unless it filled all the
 * memory for steps: that is an endless loop, and there would be no end of reversals. */
static void bounded(struct hd_explorer *ex, bool endless, bool learns)
{
    ex->cnt->bounded++;
    if (ex->path.depth > ex->cnt->max_depth)
        ex->cnt->max_depth = ex->path.depth;
    if (endless)
        HD_CHECKS_DO(ex, endless)
    for (uint32_t i = 0; i < ex->n_filters && learns; i++)
        if (hd_filter_table[ex->filters[i]->index].traits & HD_TRAIT_SLEEPS &&
            ex->filters[i]->ended)
            ex->filters[i]->ended(ex->filter_state[i], ex, NULL);
}

void hd_explorer_bounded(struct hd_explorer *ex) { bounded(ex, true, true); }

void hd_explorer_note_repeated(struct hd_explorer *ex)
{
    enum { LAST = 64, OFTEN = 4 };
    const struct hd_path *p = &ex->path;
    uint32_t from = p->depth > LAST ? p->depth - LAST : 0, n = 0;
    for (uint32_t d = from; d < p->depth && n < 4; d++) {
        uint32_t site = p->nodes[d].action.site, times = 0;
        for (uint32_t i = from; i < p->depth; i++)
            times += p->nodes[i].action.site == site;
        for (uint32_t i = 0; i < n; i++)
            times = ex->cnt->repeated[i] == site ? 0 : times;
        if (site && times >= OFTEN)
            ex->cnt->repeated[n++] = site;
    }
}

/* Let the filters look at a new node; 0 when none of its n alternatives is left.  Bounds come
 * first (their stages are lower), because no other filter may open what they drop. */
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

/* No thread can move: a deadlock, with three exceptions.  A thread may be held by an assumption
 * that does not hold; it has a step left, which ends the execution.  Or a thread spins, and the
 * process never ends.  Or the program allows it (heddle_allow_deadlock).  To the filters these
 * are all the same. */
struct hd_decision hd_explorer_nobody_moves(struct hd_explorer *ex)
{
    static const struct hd_finding end = { .kind = HD_KIND_DEADLOCK };
    struct hd_finding deadlock = end, spins = { .kind = HD_KIND_NO_PROGRESS };
    bool assumes = hd_config_stands(ex->world.config, HD_OP_ASSUME);
    if (!assumes && ex->world.allows && ex->world.allows(ex->world.self))
        return hd_explorer_over(ex, &end, NULL, false);
    if (!assumes && !hd_config_stands(ex->world.config, HD_OP_SPIN))
        return violated(ex, &deadlock);
    if (hd_explorer_waits(ex->world.config))
        hd_checks_waits(ex);
    if (!assumes)
        ex->world.describe(ex->world.self, &spins);
    return hd_explorer_over(ex, &end, assumes ? NULL : &spins, assumes);
}

/* Let the search put the alternatives in order; 0: the execution ends here. */
static inline uint32_t ordered(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    if (ex->search->order)
        ex->search->order(ex, alts, n);
    return __builtin_expect(ex->search->select != NULL, 0) ? ex->search->select(ex, alts, n) : n;
}

/* The search ends the execution here. */
static struct hd_decision selected_none(struct hd_explorer *ex)
{
    if (ex->error[0])
        return hd_explorer_gave_up(ex);
    ex->cnt->pruned++;
    if (ex->path.depth > ex->cnt->max_depth)
        ex->cnt->max_depth = ex->path.depth;
    return hd_explorer_next(ex);
}

static struct hd_decision new_node(struct hd_explorer *ex, bool not_alone)
{
    struct hd_path *p = &ex->path;
    const struct hd_config *config = ex->world.config;
    uint32_t depth = p->depth;
    struct hd_node *node = &p->nodes[depth];
    hd_explorer_notify_in_time(ex);
    if (__builtin_expect(depth == ex->marks.base, 0) && ex->split)
        hd_split_survived(ex);
    if (ex->may_go_on && (!not_alone || depth >= ex->marks.single_until)) {
        look_ahead(ex);
        uint32_t thread = hd_explorer_take_single(ex);
        if (thread != HD_NO_SINGLE)
            return run(thread);
    }
    node->alts = node[-1].alts + node[-1].n_alts;
    node->last = config->last;
    node->enabled = 0;
    node->unsure = node->many = node->went_on = false;
    if (!room(node->alts)) {
        ex->cnt->bounded++;
        ex->cnt->dropped[HD_FILTER_INDEX_DEPTH] = 1;
        return hd_explorer_next(ex);
    }
    uint32_t *alts = p->alts + node->alts;
    uint32_t n = alternatives(config, alts);
    node->n_alts = n;
    p->n_nodes = depth; /* not on the path before something is taken */
    if (n == 0 && ex->world.cut && ex->world.cut(ex->world.self)) {
        bounded(ex, true, true);
        return hd_explorer_next(ex);
    }
    if (n == 0)
        return hd_explorer_nobody_moves(ex);
    hd_checks_at_node(ex);
    if (hd_explorer_waits(config))
        hd_checks_waits(ex);
    n = admitted(ex, alts, n, &node->n_allowed);
    if (n == 0) {
        if (depth > ex->cnt->max_depth)
            ex->cnt->max_depth = depth;
        return hd_explorer_next(ex);
    }
    if (ex->search->visit && !ex->search->visit(ex, alts, n))
        return hd_explorer_next(ex);
    n = ordered(ex, alts, n);
    if (__builtin_expect(n == 0, 0))
        return selected_none(ex);
    node->n_open = n;
    node->taken = 0;
    hd_path_opened(p, depth);
    ex->cnt->choices += n > 1;
    hd_explorer_set_action(ex, node, HD_STEP_THREAD(alts[0]));
    p->n_nodes = depth + 1;
    ex->marks.target = depth + 1;
    struct hd_decision decision = take(ex, depth, alts[0]);
    if (!ex->error[0])
        look_ahead(ex);
    return decision;
}

/* `not_alone`: as far as single_until allowed the test, the new node is known not to have a
 * single alternative. */
static __attribute__((noinline)) struct hd_decision decide_among(struct hd_explorer *ex,
                                                                 bool not_alone)
{
    ex->shared->ctl.heartbeat++;
    hd_explorer_catch_up(ex);
    if (__builtin_expect(ex->error[0], 0))
        return hd_explorer_gave_up(ex);
    if (__builtin_expect(ex->opt->paranoid, 0))
        hd_explorer_check(ex);
    if (__builtin_expect(ex->world.config->invariants, 0)) {
        struct hd_finding finding = { .kind = HD_KIND_NONE };
        enum hd_judged judged = hd_checks_at_state(ex, &finding);
        if (judged == HD_JUDGED_ANEW)
            return hd_explorer_stop(ex, HD_STATE_GREW);
        if (judged == HD_JUDGED_BROKEN)
            return violated(ex, &finding);
    }
    if (ex->path.depth < ex->marks.target)
        return recorded_step(ex);
    return new_node(ex, not_alone);
}

static __attribute__((noinline)) struct hd_decision decide_any(struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    if (depth + 1 == ex->marks.target && depth == ex->marks.notified &&
        depth == ex->marks.counted && is_fast(ex) && !ex->error[0] && !ex->fatal_at)
        return other_step(ex);
    bool look = !ex->world.config->invariants;
    uint32_t thread = look ? hd_explorer_take_single(ex) : HD_NO_SINGLE;
    return thread != HD_NO_SINGLE ? run(thread) : decide_among(ex, look);
}

/* The search decides.  It has no fast path. */
static struct hd_decision decide_by_search(struct hd_explorer *ex)
{
    return ex->search->decide(ex);
}

static struct hd_decision decide_each(struct hd_explorer *ex) { return decide_among(ex, true); }

void hd_explorer_decides(struct hd_explorer *ex)
{
    ex->decide = ex->decides_each     ? decide_each
                 : ex->search->decide ? decide_by_search
                                      : decide_any;
}

/* The filter of the fast path has visited the state of the new node before: nothing of it is
 * listed. */
static struct hd_decision met(struct hd_explorer *ex)
{
    ex->shared->ctl.heartbeat++;
    hd_checks_at_node(ex);
    if (hd_explorer_waits(ex->world.config))
        hd_checks_waits(ex);
    ex->cnt->pruned++;
    if (ex->path.depth > ex->cnt->max_depth)
        ex->cnt->max_depth = ex->path.depth;
    ex->path.n_nodes = ex->path.depth;
    return hd_explorer_next(ex);
}

struct hd_decision hd_explorer_decide(struct hd_explorer *ex)
{
    if (ex->path.depth >= ex->marks.fast_until)
        return ex->decide(ex);
    uint32_t thread = ex->fast->take_single(ex);
    if (thread < HD_STATE_MET)
        return run(thread);
    return thread == HD_STATE_MET ? met(ex) : decide_among(ex, true);
}
