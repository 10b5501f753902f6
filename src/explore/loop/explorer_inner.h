/* What the files of the explorer share: the way a step is taken. */
#ifndef HD_EXPLORE_LOOP_EXPLORER_INNER_H
#define HD_EXPLORE_LOOP_EXPLORER_INNER_H

#include "explore/loop/filter.h"
#include "explore/loop/run_checks.h"

/* turn.c: the end of an execution.  Let the filters and the search choose the next one.
 * Returns the depth to go back to, -1 when nothing is open. */
int64_t hd_explorer_turn(struct hd_explorer *ex);
/* The execution whose steps are drawn at random is over; the order of threads decides. */
void hd_explorer_drawn(struct hd_explorer *ex);
/* The next execution begins at that depth; the next part of the tree, for one worker of
 * several. */
struct hd_decision hd_explorer_begin_at(struct hd_explorer *ex, uint32_t depth);
struct hd_decision hd_explorer_begin_part(struct hd_explorer *ex);
/* Nothing is open: end the exploration, or start another round. */
struct hd_decision hd_explorer_all_explored(struct hd_explorer *ex);
bool hd_explorer_limit_reached(struct hd_explorer *ex);

void hd_explorer_digest(struct hd_explorer *ex, uint32_t alternative, const struct hd_action *a);

/* The new step `depth` is about to run: digest it and check the explorer, as the options
 * ask. */
void hd_explorer_watch(struct hd_explorer *ex, uint32_t depth);

/* Tell the filters of all steps that they have not been told of. */
HD_HOT void hd_explorer_catch_up(struct hd_explorer *ex)
{
    if (ex->marks.notified != ex->path.depth)
        ex->fast->notify(ex, ex->path.depth);
}

/* The same for those steps that they must be told of before the execution is over. */
HD_HOT void hd_explorer_notify_in_time(struct hd_explorer *ex)
{
    if (ex->marks.notified < ex->marks.notify_until)
        ex->fast->notify(ex, ex->marks.notify_until);
}

/* Step `depth` is about to run: tell the filters and checks that asked for it. */
HD_HOT void hd_explorer_notify(struct hd_explorer *ex, uint32_t depth)
{
    hd_explorer_catch_up(ex);
    ex->marks.notified = depth + 1;
    for (uint32_t i = 0; i < ex->n_ran; i++)
        ex->ran[i].ran(ex->filter_state[ex->ran[i].filter], ex, depth);
    hd_checks_ran(ex, depth);
}

/* By the site of an action: has something been opened where a thread had gone on? */
HD_HOT uint8_t *hd_explorer_decided(const struct hd_explorer *ex, const struct hd_action *a)
{
    return &ex->decided[(a->site ? a->site : HD_DECIDED - a->op) % HD_DECIDED];
}

HD_HOT void hd_explorer_set_action(const struct hd_explorer *ex, struct hd_node *node,
                                   uint32_t thread)
{
    node->action = ex->world.config->next[thread];
    if (hd_op_has_outcome((enum hd_op)node->action.op))
        node->action.op = (uint8_t)ex->world.outcome(ex->world.self, thread);
}

/* A node that may be given to other workers lists every alternative, so its steps must have
 * no choices of their own. */
static inline bool hd_explorer_one_choice_each(const struct hd_config *config)
{
    uint32_t all = 0; /* above 1 if one of them is */
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1)
        all |= config->next[__builtin_ctzll(w)].choices;
    return all <= 1;
}

/* May the new node list one alternative, as far as other workers are concerned? (The first node
 * of a worker's part is where others learn that its first step broke nothing.) */
HD_HOT bool hd_explorer_may_be_others(const struct hd_explorer *ex)
{
    return __builtin_expect(!ex->split, 1) ||
           (ex->path.depth > ex->marks.base &&
            (ex->world.config->one_way || hd_explorer_one_choice_each(ex->world.config)));
}

/* Has the thread of the last step come to an operation that it cannot do? */
static inline bool hd_explorer_waits(const struct hd_config *config)
{
    return hd_tset_has(&config->live, config->last) &&
           !hd_tset_has(&config->enabled, config->last);
}

/* The same while another thread waits, too? */
HD_HOT bool hd_explorer_waits_like_others(const struct hd_config *config)
{
    uint64_t waiting = config->live.w[0] & ~config->enabled.w[0];
    return waiting >> config->last & 1 && waiting != 1ull << config->last;
}

/* The same for any number of threads. */
static inline bool hd_explorer_waits_like_many(const struct hd_config *config)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < hd_tset_words(config->n_threads); i++)
        waiting += (uint32_t)__builtin_popcountll(config->live.w[i] & ~config->enabled.w[i]);
    return waiting > 1 && hd_explorer_waits(config);
}

/* The new node has one alternative, and is on the path. */
HD_HOT void hd_explorer_one_alternative(struct hd_path *p, struct hd_node *node, uint32_t depth,
                                        uint32_t alternative, bool went_on)
{
    uint64_t alts = node[-1].alts + node[-1].n_alts;
    node->alts = alts;
    node->n_alts = node->n_open = node->n_allowed = 1;
    node->taken = 0;
    node->unsure = false;
    node->went_on = went_on;
    node->many = false;
    p->alts[alts] = p->steps[depth] = alternative;
    p->n_nodes = depth + 1;
}

/* Append a node with the thread's next action, whose outcome is not known yet; `alternative` is
 * the thread with the choice of the step. */
HD_HOT struct hd_node *hd_explorer_append(struct hd_explorer *ex, uint32_t thread,
                                          uint32_t alternative, bool went_on)
{
    struct hd_path *p = &ex->path;
    const struct hd_config *config = ex->world.config;
    uint32_t depth = p->depth;
    struct hd_node *node = &p->nodes[depth];
    node->action = config->next[thread];
    node->last = config->last;
    node->enabled = config->enabled.w[0];
    hd_explorer_one_alternative(p, node, depth, alternative, went_on);
    return node;
}

/* The same where there may be more than 64 threads: keep all that are enabled. */
static inline void hd_explorer_keep_many(struct hd_explorer *ex, struct hd_node *node)
{
    const struct hd_config *config = ex->world.config;
    struct hd_path_more *more = &ex->path.more[node - ex->path.nodes];
    node->many = config->n_threads > 64;
    if (node->many)
        memcpy(more->w, config->enabled.w + 1, sizeof more->w);
}

/* turn.c: end the exploration in that state; end it because of ex->error. */
struct hd_decision hd_explorer_stop(struct hd_explorer *ex, enum hd_state state);
struct hd_decision hd_explorer_gave_up(struct hd_explorer *ex);

/* record.c: has a data race been found, by this worker or another one, or before the search was
 * interrupted?  One that a rule suppresses counts. */
bool hd_explorer_has_raced(const struct hd_explorer *ex);

/* The execution is over but does not count; begin the next. */
struct hd_decision hd_explorer_next(struct hd_explorer *ex);

/* The execution is over.  `finding` is what the filters are told about its end, `violation`
 * what is reported, or NULL. `assumed`: it ended at an assumption that does not hold, so it
 * does not count as one of the program's. */
struct hd_decision hd_explorer_over(struct hd_explorer *ex, const struct hd_finding *finding,
                                    const struct hd_finding *violation, bool assumed);

/* decide.c: say who decides (explorer.h). */
void hd_explorer_decides(struct hd_explorer *ex);

/* decide.c: a bound has cut the execution. */
void hd_explorer_bounded(struct hd_explorer *ex);

/* decide.c: no thread can move: a deadlock, unless a thread is held by an assumption. */
struct hd_decision hd_explorer_nobody_moves(struct hd_explorer *ex);

/* backtrack.c: an alternative was opened where the thread had gone on without a decision, and
 * the node has been reached again: list the other choices after the first choice of every
 * thread.  It is the last node of the path. */
void hd_explorer_list_choices(struct hd_explorer *ex, uint32_t depth);

/* single.c: take the step of the single thread that is admitted at the new node, if there is
 * one; the other alternatives are listed when they are needed.  Returns the thread, or
 * HD_NO_SINGLE if the filters must look at all alternatives. */
uint32_t hd_explorer_take_single(struct hd_explorer *ex);

#endif
