/* Partial deadlocks, found when a cycle of waiting threads closes.
 *
 * Only the owner of a lock can release it, and a thread can be joined only when it has ended
 * (if no thread is ever cancelled).  So threads that wait for each other in these ways never
 * move again, whatever the others do.  A cycle closes with a step of one of its threads, the
 * last one that reaches its lock.  So it is enough to follow the owners from the thread of the
 * last step, and only when that thread cannot move.
 *
 * Threads that wait for a signal, a semaphore or at a barrier are stuck when no thread is left
 * that could wake them, according to the code (hd_world.wakers).  A thread that waits for ever
 * is no error by itself, as the program may be about to end; so this is asked only when an
 * endless execution has been cut.
 *
 * A reduction misses no cycle: the execution goes on to its end with the cycle in it, and in
 * every equivalent execution the same threads wait for the same locks at the end.  Either no
 * thread can move there, which is a deadlock of all, or the last step was made by a thread
 * outside the cycle, so that some node of the path had both. */
#include "core/enabled.h"
#include "explore/loop/record.h"

/* The thread that this one waits for; ~0u if it can move, or waits for more than one. */
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
            return 0; /* the cycle does not contain the thread, and is known */
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

/* A program that judges deadlocks does it when no thread can move. */
static bool judges(const struct hd_explorer *ex)
{
    return ex->world.judges && ex->world.judges(ex->world.self);
}

static void endless(void *self, struct hd_explorer *ex)
{
    (void)self;
    const struct hd_config *config = ex->world.config;
    struct hd_tset stuck;
    if (judges(ex) || !hd_stuck_threads(&ex->world, &stuck))
        return;
    /* Find when the deadlock began: the last of the threads had come to wait, and the last
     * thread that could have woken them had ended. */
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
    if (judges(ex) || !hd_wait_cycle(&ex->world, thread, NULL))
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
