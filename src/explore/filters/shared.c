/* shared: JPF's partial order reduction by sharedness (Noonan: Slice-n-Dice Algorithm
 * Implementation in JPF, 2014, Fig. 2.1).
 *
 * A thread goes on by itself until it comes to an access of something that another thread,
 * enabled now, has accessed too, in any execution so far: there all enabled threads are
 * tried.  They are also tried after a thread was created or has ended, and where the thread
 * cannot go on.
 *
 * It is incomplete: an object is known to be shared only when a second thread has accessed it.
 * If the first thread's access came before a thread was created or ended, no execution goes
 * back to it (the thesis, Fig. 3.2).  So it never says `verified`.
 *
 * Deviations: an object is a cell (cells.h), not a field; synchronisation objects count as
 * such; the choices of a step are all tried; before the end of the process all threads are. */
#include "core/pack_parts.h"
#include "core/touch.h"
#include "explore/loop/filter.h"
#include "explore/order/cells.h"

#include <string.h>

struct shared {
    struct hd_arena *arena;
    struct hd_cells cells;
    struct hd_tset *accessed; /* by cell: threads, over the whole search */
    uint32_t cap;
    bool full;
};

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct shared *s = owner;
    if (to >= s->cap) {
        uint32_t cap = s->cap ? 2 * s->cap : 256;
        struct hd_tset *accessed = hd_arena_take(s->arena, cap * sizeof *accessed);
        if (!accessed) {
            s->full = true;
            return;
        }
        if (s->accessed)
            memcpy(accessed, s->accessed, s->cap * sizeof *accessed);
        s->accessed = accessed;
        s->cap = cap;
    }
    if (from == to)
        hd_tset_clear(&s->accessed[to]);
    else
        s->accessed[to] = s->accessed[from];
}

static void *create(struct hd_explorer *ex)
{
    struct shared *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->arena = &ex->arena;
    return hd_cells_init(&s->cells, &ex->arena, s, cell_added) ? s : NULL;
}

/* The thread is about to access these bytes: has another that is enabled done so? */
static bool meets(struct shared *s, const struct hd_config *config, uint32_t thread,
                  const struct hd_touch *range)
{
    bool met = false;
    for (uint64_t at = range->begin; at < range->end;) {
        uint32_t cell = hd_cells_at(&s->cells, at, range->end);
        if (cell == ~0u || s->full) {
            s->full = true;
            return true;
        }
        hd_tset_add(&s->accessed[cell], thread);
        for (uint32_t i = 0; i < hd_tset_words(config->n_threads); i++) {
            uint64_t others = s->accessed[cell].w[i] & config->enabled.w[i];
            if (i == thread >> 6)
                others &= ~(1ull << (thread & 63));
            met = met || others;
        }
        at += s->cells.cells[cell].len;
    }
    return met;
}

/* Do others that can move access what the action touches? */
static bool meets_any(struct shared *s, const struct hd_config *config, uint32_t thread,
                      const struct hd_action *a)
{
    struct hd_touch touched[2];
    bool met = false;
    for (int i = 0, n = hd_touches(a, touched); i < n; i++)
        met = meets(s, config, thread, &touched[i]) || met;
    return met;
}

/* Does the thread that made the last step go on by itself? */
static bool goes_on(struct shared *s, const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    const struct hd_action *a = &config->next[thread];
    uint32_t depth = ex->path.depth;
    if (depth == 0 || !hd_tset_has(&config->enabled, thread) ||
        ex->path.nodes[depth - 1].action.op == HD_OP_CREATE ||
        hd_op_table[a->op].access == HD_ACCESS_ALL)
        return false;
    if (hd_op_table[a->op].space == HD_SPACE_THREAD)
        return true; /* other threads are tried after creations and ends, not at them */
    return !meets_any(s, config, thread, a);
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct shared *s = self;
    uint32_t last = ex->world.config->last, kept = 0;
    bool alone = goes_on(s, ex, last);
    if (s->full)
        hd_explorer_give_up(ex,
                            "the reduction shared uses up the memory: use --strategy optimal");
    if (!alone)
        return n;
    for (uint32_t i = 0; i < n; i++)
        if (HD_STEP_THREAD(alts[i]) == last) {
            uint32_t moved = alts[i];
            memmove(alts + kept + 1, alts + kept, (i - kept) * sizeof *alts);
            alts[kept++] = moved;
        }
    return kept;
}

/* Where other threads were tried, the one that runs may not be the one that was looked at. */
static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_action *a = &ex->path.nodes[depth].action;
    if (hd_op_table[a->op].space != HD_SPACE_THREAD)
        meets_any(self, ex->world.config, HD_STEP_THREAD(ex->path.steps[depth]), a);
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct shared *s = self;
    (void)ex;
    hd_cells_pack(&s->cells, p);
    hd_pack_want(p, !s->full);
    for (uint32_t i = 0; i < s->cells.n && !p->bad; i++)
        hd_pack_set(p, &s->accessed[i]);
}

const struct hd_filter hd_filter_shared = {
    .index = HD_FILTER_INDEX_SHARED,
    .create = create,
    .admit = admit,
    .ran = ran,
    .pack = pack,
};
