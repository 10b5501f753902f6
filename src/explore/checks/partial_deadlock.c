/* Partial deadlocks, found where the circle of waiting closes.
 *
 * Only the owner of a lock can give it back, and only its own end lets a thread be joined
 * (where nobody is ever cancelled), so threads that wait for each other in these ways stay
 * where they are whatever the others do: circles are never opened again.  A circle closes with
 * a step of one of its threads, the one that comes to its lock last; so it is enough to follow
 * the owners from the thread of the last step, and only when it cannot move.
 *
 * Threads that wait for a signal, a semaphore or at a barrier are stuck when nobody is left
 * who could wake them, as far as the code tells (hd_world.wakers).  That a thread waits for
 * ever is no error by itself, as the program may be about to end; so it is asked only where an
 * execution has been cut that does not end.
 *
 * No circle is missed by a reduction: the execution goes on to its end with the circle in it,
 * and every execution that is equivalent has the same threads standing before the same locks
 * at its end.  Either nobody can move there, which is a deadlock of all, or the last step was
 * made by a thread outside the circle, so that some node on the way had both. */
#include "core/enabled.h"
#include "explore/loop/record.h"

/* Whom the thread waits for; ~0u: it can move, or for more than one. */
static uint32_t waits_for(const struct hd_world *world, uint32_t thread)
{
    const struct hd_config *config = world->config;
    if (thread >= config->n_threads || !hd_tset_has(&config->live, thread) ||
        hd_tset_has(&config->enabled, thread))
        return ~0u;
    const struct hd_action *a = &config->next[thread];
    if (a->op == HD_OP_JOIN)
        return world->cancels && !world->cancels(world->self) ? (uint32_t)a->object : ~0u;
    if (!hd_op_blocks((enum hd_op)a->op) || hd_op_table[a->op].space != HD_SPACE_SYNC)
        return ~0u;
    return hd_op_waits_for((enum hd_op)a->op, world->sync_state(world->self, a->object));
}

uint32_t hd_wait_cycle(const struct hd_world *world, uint32_t thread, uint32_t *threads)
{
    uint32_t n = 0, lowest = thread, at = thread;
    do {
        lowest = at < lowest ? at : lowest;
        at = waits_for(world, at);
        if (++n > world->config->n_threads)
            return 0; /* the circle is farther on, and known */
    } while (at != thread && at != ~0u);
    if (at == ~0u || n < 2)
        return 0;
    for (uint32_t i = 0; threads && i < n; i++, lowest = waits_for(world, lowest))
        threads[i] = lowest;
    return n;
}

uint32_t hd_stuck_threads(const struct hd_world *world, struct hd_tset *stuck)
{
    const struct hd_config *config = world->config;
    uint32_t words = hd_tset_words(config->n_threads);
    struct hd_tset wakers;
    hd_tset_clear(stuck);
    for (uint32_t t = 0; world->wakers && t < config->n_threads; t++)
        if (hd_tset_has(&config->live, t) && !hd_tset_has(&config->enabled, t) &&
            world->wakers(world->self, t, &wakers))
            hd_tset_add(stuck, t);
    /* the largest set whose wakers are all in it */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < config->n_threads; t++) {
            if (!hd_tset_has(stuck, t))
                continue;
            world->wakers(world->self, t, &wakers);
            bool free = false;
            for (uint32_t i = 0; i < words; i++)
                free = free || (wakers.w[i] & config->live.w[i] & ~stuck->w[i]);
            if (free)
                hd_tset_del(stuck, t);
            changed = changed || free;
        }
    }
    return hd_tset_count(stuck, words);
}

static void endless(void *self, struct hd_explorer *ex)
{
    (void)self;
    const struct hd_config *config = ex->world.config;
    struct hd_tset stuck;
    if (!hd_stuck_threads(&ex->world, &stuck))
        return;
    /* It was so when the last of them came to wait, and the last of those that could have
     * woken them had ended. */
    uint32_t n = ex->path.depth;
    while (n > 0) {
        uint32_t thread = HD_STEP_THREAD(ex->path.steps[n - 1]);
        if (hd_tset_has(&stuck, thread) || !hd_tset_has(&config->live, thread))
            break;
        n--;
    }
    uint32_t first = 0;
    while (!hd_tset_has(&stuck, first))
        first++;
    struct hd_finding finding = { .kind = HD_KIND_DEADLOCK, .thread = first, .partial = 1 };
    ex->world.describe(ex->world.self, &finding);
    if (hd_record_schedule(ex, &finding, NULL, n, n) && !ex->opt->keep_going)
        ex->stop_here = true;
}

static void waits(void *self, struct hd_explorer *ex)
{
    (void)self;
    uint32_t thread = ex->world.config->last;
    if (!hd_wait_cycle(&ex->world, thread, NULL))
        return;
    struct hd_finding finding = { .kind = HD_KIND_DEADLOCK, .thread = thread, .partial = 1 };
    ex->world.describe(ex->world.self, &finding);
    if (hd_record_finding(ex, &finding) && !ex->opt->keep_going)
        ex->stop_here = true;
}

const struct hd_check hd_check_partial_deadlock = {
    .waits = waits,
    .endless = endless,
};
