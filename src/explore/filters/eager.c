/* eager: a thread is created, begins, ends and is joined as soon as it can be.
 *
 * A creation depends on readers of the pthread_t that it writes, and on nothing else that can
 * happen before the thread exists; if the pthread_t is private to the creator, the action has
 * no second object.  The first step of a thread (START) depends on its creation alone.  The
 * last one (EXIT) depends on its join, which can only come after it, and on uses of its stack,
 * which are errors after the end and are found there.  (In a program that asks whether a thread
 * has ended, for instance by sending it a signal, EXIT is a step like others.) A join that
 * takes no result depends on the end of its thread, which has happened, and on other uses of
 * the thread's id, all of which are misuse after the join and are found there.  So all four
 * commute with what other threads can do meanwhile, and it is enough to explore them first.
 * Searches over states have fewer states to store.
 *
 * like-scale: the same for all steps that SCALE does not count (scale.h), so that the number of
 * runs can be compared with its tables.  Accesses of stacks commute only while no thread
 * accesses another's stack.  The thesis assumes that (3.1, data variables are globals and the
 * heap), and so does this filter, which therefore claims nothing. */
#include "explore/loop/filter.h"

#include "explore/states/scale.h"

static void *create(struct hd_explorer *ex)
{
    (void)ex;
    return NULL;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    if (hd_scale_is_none_hidden(ex))
        return n;
    for (uint32_t i = 0; i < n; i++)
        if (hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[i])])) {
            uint32_t moved = alts[0];
            alts[0] = alts[i];
            alts[i] = moved;
            return 1;
        }
    return n;
}

/* Nothing follows a step that breaks the program, so the other threads are explored as
 * alternatives. */
static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    (void)self;
    uint32_t depth = ex->path.depth;
    if (!finding || finding->kind == HD_KIND_DEADLOCK || depth == 0 ||
        !hd_scale_hidden(ex, &ex->path.nodes[depth - 1].action))
        return;
    const uint32_t *alts = hd_path_alts(&ex->path, depth - 1);
    struct hd_tset threads = { { ex->path.nodes[depth - 1].enabled } };
    for (uint32_t i = 0; i < ex->path.nodes[depth - 1].n_alts; i++)
        hd_tset_add(&threads, HD_STEP_THREAD(alts[i]));
    for (uint32_t t = 0; t < ex->world.config->n_threads; t++)
        if (hd_tset_has(&threads, t))
            hd_explorer_add(ex, depth - 1, t);
}

const struct hd_filter hd_filter_eager = {
    .index = HD_FILTER_INDEX_EAGER,
    .create = create,
    .admit = admit,
    .ended = ended,
    .pack = hd_pack_nothing,
};

const struct hd_filter hd_filter_like_scale = {
    .index = HD_FILTER_INDEX_LIKE_SCALE,
    .create = create,
    .admit = admit,
    .pack = hd_pack_nothing,
};
