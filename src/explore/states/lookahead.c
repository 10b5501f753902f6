/* The second phase of the hybrid analysis of accesses (Parízek and Lhoták, ASE 2011): the
 * static rows of the points on a thread's dynamic call stack, merged, are all that it can
 * still do. */
#include "explore/states/lookahead.h"

#include "core/touch.h"

/* The thread that `thread`, which cannot move, waits for; ~0u if it waits for no single
 * thread. */
static uint32_t waits_for(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_world *world = &ex->world;
    const struct hd_action *a = &world->config->next[thread];
    if (a->op == HD_OP_JOIN)
        return world->cancels && !world->cancels(world->self) ? (uint32_t)a->object : ~0u;
    if (!hd_op_blocks((enum hd_op)a->op) || hd_op_table[a->op].space != HD_SPACE_SYNC)
        return ~0u;
    return hd_op_waits_for((enum hd_op)a->op, world->sync_state(world->self, a->object));
}

struct hd_tset hd_lookahead_stuck(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    struct hd_tset stuck = { { 0 } };
    hd_tset_add(&stuck, thread);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t t = 0; t < config->n_threads; t++) {
            if (!hd_tset_has(&config->live, t) || hd_tset_has(&config->enabled, t) ||
                hd_tset_has(&stuck, t))
                continue;
            uint32_t whom = waits_for(ex, t);
            if (whom < config->n_threads && hd_tset_has(&stuck, whom)) {
                hd_tset_add(&stuck, t);
                more = true;
            }
        }
    }
    return stuck;
}

/* The thread, or its nearest ancestor, that exists; HD_MAX_THREADS if none does. */
static uint32_t creator(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    while (thread >= config->n_threads || !hd_tset_has(&config->live, thread)) {
        if (thread == 0)
            return HD_MAX_THREADS;
        thread = ex->shared->threads[thread].parent;
    }
    return thread;
}

/* The rows of what a live thread can still do.  Returns their number, 0 when that is not
 * known. */
static uint32_t rows_of(const struct hd_explorer *ex, uint32_t thread,
                        uint32_t rows[HD_MAX_FRAMES + 2])
{
    const struct hd_foresight *f = &ex->shared->foresight;
    uint32_t sites[HD_MAX_FRAMES], n = 0;
    uint32_t site = ex->world.config->next[thread].site;
    if (!ex->world.stack || site >= f->n_sites || !f->at[site])
        return 0;
    uint32_t calls = ex->world.stack(ex->world.self, thread, sites);
    if (calls == HD_MAX_FRAMES)
        return 0;
    rows[n++] = f->always;
    rows[n++] = f->at[site] - 1;
    for (uint32_t i = 0; i < calls; i++) {
        if (sites[i] >= f->n_sites || !f->behind[sites[i]])
            return 0;
        rows[n++] = f->behind[sites[i]] - 1;
    }
    return n;
}

bool hd_lookahead_comes(const struct hd_explorer *ex, const struct hd_tset *stuck, uint32_t other,
                        uint32_t bit)
{
    uint32_t rows[HD_MAX_FRAMES + 2], who = creator(ex, other);
    if (who == HD_MAX_THREADS || hd_tset_has(stuck, who))
        return false;
    uint32_t n = bit ? rows_of(ex, who, rows) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (hd_foresight_has(&ex->shared->foresight, rows[i], bit - 1))
            return true;
    return n == 0;
}

bool hd_lookahead_meets(const struct hd_explorer *ex, const struct hd_tset *stuck, uint32_t row)
{
    const struct hd_config *config = ex->world.config;
    const struct hd_foresight *f = &ex->shared->foresight;
    uint32_t rows[HD_MAX_FRAMES + 2];
    const uint64_t *wanted = f->rows + (uint64_t)row * f->words;
    for (uint32_t t = 0; t < config->n_threads; t++) {
        if (!hd_tset_has(&config->live, t) || hd_tset_has(stuck, t))
            continue;
        uint32_t n = rows_of(ex, t, rows);
        if (n == 0)
            return true;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t w = 0; w < f->words; w++)
                if (f->rows[(uint64_t)rows[i] * f->words + w] & wanted[w])
                    return true;
    }
    return false;
}

bool hd_lookahead_reached(const struct hd_explorer *ex, uint32_t thread,
                          const struct hd_action *a)
{
    struct hd_touch ranges[2];
    for (int i = 0, n = hd_touches(a, ranges); i < n; i++) {
        uint64_t at = ranges[i].begin;
        if (at & HD_TOUCH_SYNC)
            at = (at & ~HD_TOUCH_SYNC) >> 3;
        else if (at & HD_TOUCH_THREAD)
            return true;
        if (!ex->world.reached || ex->world.reached(ex->world.self, thread, at))
            return true;
    }
    return false;
}
