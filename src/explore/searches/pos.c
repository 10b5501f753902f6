/* pos, partial order sampling (Yuan, Yang & Gu: Partial order aware concurrency sampling,
 * CAV 2018).
 *
 * The next action of every thread has a random score, and the enabled one with the highest
 * score runs.  Then the scores of all next actions that depend on it are drawn anew: whether
 * one of them comes before the next conflicting one is again random, while independent actions
 * keep their scores, so that no order of commuting steps is preferred.  Executions of a partial
 * order with few conflicts are as likely as those of one with many; a random walk is not that
 * fair.
 *
 * Deviation: an operation with several outcomes (heddle_choose, the waiter that a signal
 * wakes) has a random one. */
#include "core/dependence.h"
#include "explore/loop/search.h"

struct pos {
    uint64_t score[HD_MAX_THREADS]; /* of the thread's next action; 0: not drawn yet */
};

static void *create(struct hd_explorer *ex)
{
    return hd_arena_take(&ex->arena, sizeof(struct pos));
}

static uint64_t score(struct pos *self, struct hd_explorer *ex, uint32_t thread)
{
    if (self->score[thread] == 0)
        self->score[thread] = hd_rng_next(&ex->rng) | 1;
    return self->score[thread];
}

/* The thread takes its step: its score, and the scores of actions that depend on the step, are
 * to be drawn anew. */
static void forget(struct pos *self, const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    struct hd_action action = hd_explorer_outcome(ex, thread);
    for (uint32_t t = 0; t < config->n_threads; t++)
        if (t == thread ||
            (hd_tset_has(&config->live, t) && hd_action_dependent(&action, &config->next[t])))
            self->score[t] = 0;
}

static void highest_first(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct pos *self = ex->search_state;
    uint32_t best = 0, equal = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t mine = score(self, ex, HD_STEP_THREAD(alts[i]));
        uint64_t his = score(self, ex, HD_STEP_THREAD(alts[best]));
        if (mine > his) {
            best = i;
            equal = 1;
        } else if (mine == his && hd_rng_below(&ex->rng, ++equal) == 0) {
            best = i; /* another outcome of the same thread's step */
        }
    }
    hd_search_take(alts, best);
    forget(self, ex, HD_STEP_THREAD(alts[0]));
}

static int64_t next(struct hd_explorer *ex)
{
    struct pos *self = ex->search_state;
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        self->score[t] = 0;
    return hd_search_root_again(ex);
}

const struct hd_search_ops hd_search_pos = {
    .create = create,
    .order = highest_first,
    .resume = next,
};
