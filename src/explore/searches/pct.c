/* pct:D, probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi & Nagarakatte: A
 * randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010).
 *
 * Every thread has a random priority, and the enabled thread with the highest priority runs.
 * At D - 1 steps, chosen at random before the execution begins, the thread that has just moved
 * falls below all others.  One execution shows a bug that needs D orderings of steps with a
 * probability of at least 1 / (n k^(D-1)), for n threads and executions of at most k steps.
 *
 * Deviations:
 *  - k is not known: it is the length of the longest execution so far, LENGTH for the first
 *    one.  The guarantee holds as soon as one of the longest executions has occurred.
 *  - a thread that yields or sleeps falls below all others, too, as it asks to
 *  - an operation with several outcomes (heddle_choose, the waiter that a signal wakes) has a
 *    random one
 *  - an execution that is much longer than all before (a thread of high priority may spin for
 *    what one of low priority would do) goes on as a random walk, which is fair */
#include "core/pack_parts.h"
#include "explore/loop/search.h"

#define LENGTH 64
#define LONGER 8 /* times the longest execution before: much longer */
#define LEAST_LONG 20000

struct pct {
    uint64_t priority[HD_MAX_THREADS]; /* by thread; 0: none yet */
    uint64_t lowest;                   /* given out so far; it decreases */
    uint32_t longest;                  /* execution so far, in steps */
    uint32_t n_changes;                /* D - 1 */
    uint32_t changes[HD_MAX_PCT_DEPTH];
};

#define RANDOM_ONES (1ull << 63) /* above all that have fallen */

/* Priorities and changes of the next execution. */
static void begin(struct pct *self, struct hd_explorer *ex)
{
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        self->priority[t] = 0;
    self->lowest = RANDOM_ONES;
    for (uint32_t i = 0; i < self->n_changes; i++)
        self->changes[i] = 1 + hd_rng_below(&ex->rng, self->longest);
}

static void *create(struct hd_explorer *ex)
{
    struct pct *self = hd_arena_take(&ex->arena, sizeof *self);
    if (!self)
        return NULL;
    self->n_changes = ex->opt->pct_depth - 1;
    self->longest = LENGTH;
    begin(self, ex);
    return self;
}

/* Does the priority of the last step's thread fall here? */
static bool falls(const struct pct *self, const struct hd_path *path)
{
    uint32_t depth = path->depth;
    if (depth == 0)
        return false;
    uint16_t op = path->nodes[depth - 1].action.op;
    if (hd_op_pauses((enum hd_op)op))
        return true;
    for (uint32_t i = 0; i < self->n_changes; i++)
        if (self->changes[i] == depth)
            return true;
    return false;
}

static uint64_t priority(struct pct *self, struct hd_explorer *ex, uint32_t thread)
{
    if (self->priority[thread] == 0)
        self->priority[thread] = hd_rng_next(&ex->rng) | RANDOM_ONES;
    return self->priority[thread];
}

static void highest_first(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct pct *self = ex->search_state;
    uint32_t depth = ex->path.depth;
    if (depth > LEAST_LONG && depth / LONGER > self->longest) {
        hd_search_take(alts, hd_rng_below(&ex->rng, n));
        return;
    }
    if (falls(self, &ex->path))
        self->priority[HD_STEP_THREAD(ex->path.steps[depth - 1])] = --self->lowest;
    uint32_t best = 0, equal = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t mine = priority(self, ex, HD_STEP_THREAD(alts[i]));
        uint64_t his = priority(self, ex, HD_STEP_THREAD(alts[best]));
        if (mine > his) {
            best = i;
            equal = 1;
        } else if (mine == his && hd_rng_below(&ex->rng, ++equal) == 0) {
            best = i; /* another outcome of the same thread's step */
        }
    }
    hd_search_take(alts, best);
}

static int64_t next(struct hd_explorer *ex)
{
    struct pct *self = ex->search_state;
    if (ex->cnt->max_depth)
        self->longest = (uint32_t)ex->cnt->max_depth;
    begin(self, ex);
    return hd_search_root_again(ex);
}

/* Called between two executions: priorities are drawn when they are needed. */
static void pack(struct hd_explorer *ex, struct hd_pack *p)
{
    struct pct *self = ex->search_state;
    hd_pack_u32(p, &self->longest, HD_MAX_STEPS);
    hd_pack_want(p, self->longest != 0);
    for (uint32_t i = 0; i < self->n_changes; i++)
        hd_pack_u32(p, &self->changes[i], HD_MAX_STEPS + 1);
}

const struct hd_search_ops hd_search_pct = {
    .create = create,
    .order = highest_first,
    .resume = next,
    .pack = pack,
};
