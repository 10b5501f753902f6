/* dice: the exploration of slice-n-dice (Rungta & Mercer: Slicing and Dicing Bugs in
 * Concurrent Programs, ICSE 2010; Noonan: Slice-n-Dice Algorithm Implementation in JPF, 2014,
 * Algorithm 2).
 *
 * Until all threads of the abstraction exist, the program runs without interleaving, their
 * creators first.  From then on only threads of the abstraction interleave; each goes on until
 * it is about to act at a place of its slice.  The other threads run when no thread of the
 * abstraction can, one after the other, each for as long as it can.
 *
 * Where threads of the abstraction may be exchanged, the admitted alternatives depend on the
 * state alone.  Where one goes on by itself, they depend on the steps before, so such a node
 * does not count as visited (`partial`).  Therefore the filter may stand in a chain with
 * states.  It may not stand with a reduction by races: to reverse two steps, a reduction has to
 * run another thread at a place that may be outside the slice.
 *
 * Deviation: a thread that yields or sleeps is left, like one that blocks. */
#include "explore/loop/filter.h"

#include <string.h>

struct dice {
    uint32_t *missing; /* [depth]: threads of the abstraction that do not exist there yet */
};

static void *create(struct hd_explorer *ex)
{
    struct dice *self = hd_arena_take(&ex->arena, sizeof *self);
    if (!self)
        return NULL;
    self->missing = hd_arena_take(&ex->arena, sizeof(uint32_t) * (uint64_t)(HD_MAX_STEPS + 1));
    return self->missing ? self : NULL;
}

static bool is_inside(const struct hd_explorer *ex, uint32_t thread)
{
    return hd_tset_has(&ex->shared->dice.inside, thread);
}

static bool has_kind(const struct hd_dice *d, const uint64_t *sites, uint32_t site,
                     uint32_t thread)
{
    return site < d->n_sites && sites[site] >> d->kind[thread] & 1;
}

/* Can the thread of the last step go on, without having yielded? */
static bool stays(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    if (!hd_tset_has(&config->enabled, config->last))
        return false;
    uint16_t op = ex->path.depth ? ex->path.nodes[ex->path.depth - 1].action.op : HD_OP_NONE;
    return !hd_op_pauses((enum hd_op)op);
}

/* Move the alternatives of `thread`, or of the threads in `set`, to the front of [from, n).
 * Returns where the others begin. */
static uint32_t in_front(uint32_t *alts, uint32_t from, uint32_t n, uint32_t thread,
                         const struct hd_tset *set)
{
    for (uint32_t i = from; i < n; i++) {
        uint32_t which = HD_STEP_THREAD(alts[i]), moved = alts[i];
        if (set ? !hd_tset_has(set, which) : which != thread)
            continue;
        memmove(alts + from + 1, alts + from, (i - from) * sizeof *alts);
        alts[from++] = moved;
    }
    return from;
}

static uint32_t keep(uint32_t *alts, uint32_t n, uint32_t thread)
{
    return in_front(alts, 0, n, thread, NULL);
}

/* The threads outside the abstraction whose end a thread inside waits for. */
static struct hd_tset waited_for(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    struct hd_tset set = { { 0 } };
    for (uint32_t t = 0; t < config->n_threads; t++)
        if (is_inside(ex, t) && hd_tset_has(&config->live, t) &&
            !hd_tset_has(&config->enabled, t) && config->next[t].op == HD_OP_JOIN &&
            config->next[t].object < HD_MAX_THREADS)
            hd_tset_add(&set, (uint32_t)config->next[t].object);
    return set;
}

/* The next enabled thread after the one that moved last, by id and in a circle. */
static uint32_t next_in_turn(const struct hd_explorer *ex, const uint32_t *alts, uint32_t n)
{
    uint32_t last = ex->world.config->last, best = HD_STEP_THREAD(alts[0]);
    for (uint32_t i = 0; i < n; i++)
        if ((HD_STEP_THREAD(alts[i]) - last - 1) % HD_MAX_THREADS <
            (best - last - 1) % HD_MAX_THREADS)
            best = HD_STEP_THREAD(alts[i]);
    return best;
}

/* Has the thread been created on the path? */
static bool has_been(const struct hd_explorer *ex, uint32_t thread)
{
    for (uint32_t d = 0; d < ex->path.depth; d++)
        if (ex->path.nodes[d].action.op == HD_OP_CREATE &&
            ex->path.nodes[d].action.object == thread)
            return true;
    return false;
}

/* The thread that leads to threads that do not exist yet: the nearest ancestor of the first
 * such thread that lives and can move; HD_NO_SINGLE if there is none. */
static uint32_t ancestor_of_missing(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    for (uint32_t t = 1; t < ex->shared->n_threads; t++) {
        if (!is_inside(ex, t) || hd_tset_has(&config->live, t) || has_been(ex, t))
            continue;
        uint32_t a = t;
        do
            a = ex->shared->threads[a].parent;
        while (a && !hd_tset_has(&config->live, a));
        if (hd_tset_has(&config->live, a) && hd_tset_has(&config->enabled, a))
            return a;
    }
    return HD_NO_SINGLE;
}

static uint32_t count_missing(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    uint32_t n = hd_tset_count(&ex->shared->dice.inside, HD_TSET_WORDS);
    for (uint32_t t = 0; t < config->n_threads; t++)
        n -= is_inside(ex, t) && hd_tset_has(&config->live, t);
    return n;
}

static uint32_t admit(void *state, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct dice *self = state;
    const struct hd_dice *d = &ex->shared->dice;
    uint32_t depth = ex->path.depth, last = ex->world.config->last;
    if (depth == 0)
        self->missing[0] = count_missing(ex);
    bool begins = depth == 0 || self->missing[depth - 1] > 0;
    ex->partial = true;
    if (self->missing[depth] > 0) {
        uint32_t leads = ancestor_of_missing(ex);
        return keep(alts, n,
                    leads != HD_NO_SINGLE ? leads
                    : stays(ex)           ? last
                                          : next_in_turn(ex, alts, n));
    }
    if (!begins && stays(ex) &&
        (!is_inside(ex, last) || !has_kind(d, d->slice, ex->world.config->next[last].site, last)))
        return keep(alts, n, last);
    uint32_t kept = in_front(alts, in_front(alts, 0, n, 0, &d->first), n, 0, &d->inside);
    ex->partial = kept == 0;
    if (kept == 0)
        return keep(alts, n, next_in_turn(ex, alts, n));
    struct hd_tset others = d->wide ? waited_for(ex) : (struct hd_tset){ { 0 } };
    return in_front(alts, kept, n, 0, &others);
}

static void ran(void *state, struct hd_explorer *ex, uint32_t depth)
{
    struct dice *self = state;
    struct hd_dice *d = &ex->shared->dice;
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    bool made = a->op == HD_OP_CREATE && a->object < HD_MAX_THREADS;
    if (made)
        d->created[a->object] = a->site;
    self->missing[depth + 1] = self->missing[depth] - (made &&
                                                       is_inside(ex, (uint32_t)a->object) &&
                                                       self->missing[depth] > 0);
    if (is_inside(ex, thread) && a->site < d->n_sites)
        d->reached[a->site] |= 1ull << d->kind[thread];
}

const struct hd_filter hd_filter_dice = {
    .index = HD_FILTER_INDEX_DICE,
    .create = create,
    .admit = admit,
    .ran = ran,
};
