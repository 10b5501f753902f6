#include "explore/order/lock_sets.h"

#include "core/pack_parts.h"
#include "core/touch.h"

#include <string.h>

#define SEVERAL UINT16_MAX /* joiner[]: more than one thread joins it */

bool hd_lock_sets_init(struct hd_lock_sets *s, struct hd_arena *arena)
{
    memset(s, 0, sizeof *s);
    return hd_cell_lists_init(&s->lists, arena, sizeof(struct hd_lock_set));
}

static struct hd_lock_set *first_of(const struct hd_lock_sets *s, uint32_t cell)
{
    return hd_cell_lists_record(&s->lists, s->lists.heads[cell]);
}

static struct hd_lock_set *next_of(const struct hd_lock_sets *s, const struct hd_lock_set *set)
{
    return hd_cell_lists_record(&s->lists, set->record.next);
}

/* ---- what holds at an access ---- */

/* The thread that holds a lock, + 1; 0 for none (core/enabled.h). */
static uint16_t owner(const struct hd_explorer *ex, uint64_t lock)
{
    return (uint16_t)ex->world.sync_state(ex->world.self, lock);
}

/* The locks in `among` that the thread holds, a read-write lock for writing.  (A lock that was
 * taken while there was no other thread is held, too, so the state of the lock is asked.) */
static uint64_t held(const struct hd_lock_sets *s, const struct hd_explorer *ex, uint32_t thread,
                     uint64_t among)
{
    uint64_t locks = 0;
    for (uint64_t w = among; w; w &= w - 1)
        if (owner(ex, s->locks[__builtin_ctzll(w)]) == thread + 1)
            locks |= w & -w;
    return locks;
}

/* The threads that `thread` has joined, directly or through others that it has joined. */
static uint64_t joined_by(const struct hd_lock_sets *s, const struct hd_explorer *ex,
                          uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    uint64_t ids = config->n_threads < 64 ? (1ull << config->n_threads) - 1 : ~0ull;
    uint64_t over = 0, joined = 0, before;
    if (!s->joins[thread] || !ex->world.is_joined)
        return 0;
    for (uint64_t w = ids & ~config->live.w[0]; w; w &= w - 1)
        if (ex->world.is_joined(ex->world.self, (uint32_t)__builtin_ctzll(w)))
            over |= w & -w;
    do {
        before = joined;
        for (uint64_t w = over & ~joined; w; w &= w - 1) {
            uint32_t joiner = s->joiner[__builtin_ctzll(w)];
            if (joiner == thread + 1 || (joiner && joiner <= 64 && joined >> (joiner - 1) & 1))
                joined |= w & -w;
        }
    } while (joined != before);
    return joined;
}

static bool same_kind(const struct hd_lock_set *a, const struct hd_lock_set *b)
{
    return a->thread == b->thread && a->writes == b->writes && a->created == b->created &&
           a->joined == b->joined && a->atomic == b->atomic;
}

static void add(struct hd_lock_sets *s, const struct hd_explorer *ex, uint32_t cell,
                struct hd_lock_set *set)
{
    for (struct hd_lock_set *known = first_of(s, cell); known; known = next_of(s, known)) {
        if (!same_kind(known, set))
            continue;
        uint64_t locks = held(s, ex, set->thread, known->locks);
        if (locks != known->locks) {
            known->locks = locks;
            known->site = set->site;
        }
        return;
    }
    uint64_t all = s->n_locks < 64 ? (1ull << s->n_locks) - 1 : ~0ull;
    set->locks = held(s, ex, set->thread, all);
    hd_cell_lists_push(&s->lists, cell, set);
}

/* A name for the stack of a thread, which ends with it: one cell, however large the stack
 * is. */
static uint64_t end_of(uint64_t thread) { return HD_TOUCH_THREAD | thread << 3; }

/* The ranges of memory that the action touches. */
static int memory_of(const struct hd_action *a, struct hd_touch out[2])
{
    if (a->op == HD_OP_AWAIT) /* the loop's reads are actions of their own */
        return 0;
    if (a->op == HD_OP_EXIT) {
        out[0] = (struct hd_touch){ end_of(a->object), end_of(a->object) + 8, true };
        return 1;
    }
    int n = hd_touches(a, out), kept = 0;
    for (int i = 0; i < n; i++)
        if (out[i].begin < HD_TOUCH_THREAD)
            out[kept++] = out[i];
    return kept;
}

static void access(struct hd_lock_sets *s, const struct hd_explorer *ex, uint32_t thread,
                   const struct hd_action *a)
{
    struct hd_touch ranges[2];
    struct hd_lock_set set = { .thread = (uint16_t)thread,
                               .atomic = hd_op_atomic((enum hd_op)a->op),
                               .created = s->created[thread],
                               .site = a->site };
    int n = memory_of(a, ranges);
    if (n)
        set.joined = joined_by(s, ex, thread);
    for (int i = 0; i < n; i++) {
        set.writes = ranges[i].writes;
        for (uint64_t at = ranges[i].begin; at < ranges[i].end;) {
            uint32_t cell = hd_cell_lists_at(&s->lists, at, ranges[i].end);
            if (cell == ~0u)
                return;
            add(s, ex, cell, &set);
            at += s->lists.cells.cells[cell].len;
        }
    }
}

/* ---- steps ---- */

/* Memory that has been a lock may become a semaphore or a barrier, whose state may look like
 * that of a held lock. */
static bool is_no_lock(const struct hd_action *a)
{
    return hd_op_table[a->op].grant == HD_GRANT_POSITIVE || a->op == HD_OP_SEM_POST ||
           a->op == HD_OP_ARRIVE || a->op == HD_OP_ARRIVE_LAST;
}

static void know_object(struct hd_lock_sets *s, const struct hd_action *a)
{
    uint32_t i = 0;
    bool takes = hd_op_takes((enum hd_op)a->op);
    if (!takes && !is_no_lock(a))
        return;
    while (i < s->n_locks && s->locks[i] != a->object)
        i++;
    if (i < s->n_locks)
        s->unknown = s->unknown || !takes;
    else if (takes && i < HD_MOST_LOCKS)
        s->locks[s->n_locks++] = a->object;
}

static void know_joiner(struct hd_lock_sets *s, uint64_t thread, uint32_t joiner)
{
    uint16_t *known = &s->joiner[thread % HD_MAX_THREADS];
    s->joins[joiner] = true;
    *known = *known == 0 || *known == joiner + 1 ? (uint16_t)(joiner + 1) : SEVERAL;
}

void hd_lock_sets_ran(struct hd_lock_sets *s, struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    if (a->op == HD_OP_ATOMIC) /* the accesses inside are no steps */
        s->unknown = true;
    if (depth >= ex->marks.counted && !s->unknown) {
        access(s, ex, thread, a);
        if (hd_op_table[a->op].space == HD_SPACE_SYNC)
            know_object(s, a);
        if (a->op == HD_OP_JOIN)
            know_joiner(s, a->object, thread);
    }
    if (a->op != HD_OP_CREATE)
        return;
    if (s->n_creations == HD_MAX_THREADS) {
        s->unknown = true;
        return;
    }
    s->creations[s->n_creations].depth = depth;
    s->creations[s->n_creations++].thread = thread;
    s->created[thread]++;
}

void hd_lock_sets_back(struct hd_lock_sets *s, uint32_t depth)
{
    for (; s->n_creations && s->creations[s->n_creations - 1].depth >= depth; s->n_creations--)
        s->created[s->creations[s->n_creations - 1].thread]--;
}

/* ---- the answer ---- */

/* Was `a` made before its thread created the thread of `b`, or an ancestor of it? */
static bool before_creation(const struct hd_worker_memory *shared, const struct hd_lock_set *a,
                            const struct hd_lock_set *b)
{
    for (uint32_t child = b->thread; child; child = shared->threads[child].parent)
        if (shared->threads[child].parent == a->thread)
            return shared->threads[child].nth > a->created;
    return false;
}

/* Was `b` made after the end of the thread of `a`, whichever threads joined which? */
static bool behind_join(const struct hd_lock_sets *s, const struct hd_lock_set *a,
                        const struct hd_lock_set *b)
{
    uint32_t thread = a->thread;
    for (uint32_t i = 0; i < 64 && thread < 64 && b->joined >> thread & 1; i++) {
        uint32_t joiner = s->joiner[thread];
        if (joiner == 0 || joiner == SEVERAL)
            return false;
        thread = joiner - 1;
        if (thread == b->thread)
            return true;
    }
    return false;
}

static bool ordered(const struct hd_lock_sets *s, const struct hd_worker_memory *shared,
                    const struct hd_lock_set *a, const struct hd_lock_set *b)
{
    return a->locks & b->locks || before_creation(shared, a, b) ||
           before_creation(shared, b, a) || behind_join(s, a, b) || behind_join(s, b, a);
}

static bool conflict(const struct hd_lock_set *a, const struct hd_lock_set *b)
{
    return a->thread != b->thread && (a->writes || b->writes) && !(a->atomic && b->atomic);
}

/* Is set a ordered with set b and those after b? b is NULL: there are none. */
static bool order(const struct hd_lock_sets *s, const struct hd_worker_memory *shared,
                  const struct hd_lock_set *a, const struct hd_lock_set *b, uint32_t sites[2])
{
    for (; b; b = next_of(s, b)) {
        if (!conflict(a, b) || ordered(s, shared, a, b))
            continue;
        sites[0] = b->site;
        sites[1] = a->site;
        return false;
    }
    return true;
}

/* The first set of the end of the stack that the cell is part of; NULL: it is part of none. */
static const struct hd_lock_set *end_around(const struct hd_lock_sets *s, uint32_t cell)
{
    uint64_t thread = (s->lists.cells.cells[cell].addr - HD_STACK_BASE) / HD_STACK_STRIDE;
    uint32_t end = thread < HD_MAX_THREADS ? hd_cells_find(&s->lists.cells, end_of(thread)) : ~0u;
    return end == ~0u ? NULL : first_of(s, end);
}

bool hd_lock_sets_order_all(const struct hd_lock_sets *s, const struct hd_worker_memory *shared,
                            uint32_t sites[2])
{
    if (s->unknown || s->lists.full)
        return false;
    for (uint32_t cell = 0; cell < s->lists.cells.n; cell++) {
        const struct hd_lock_set *end = end_around(s, cell);
        for (const struct hd_lock_set *a = first_of(s, cell); a; a = next_of(s, a))
            if (!order(s, shared, a, next_of(s, a), sites) || !order(s, shared, a, end, sites))
                return false;
    }
    return true;
}

/* ---- work units ---- */

static void pack_set(void *record, struct hd_pack *p)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_lock_set, locks),   HD_FIELD(struct hd_lock_set, joined),
        HD_FIELD(struct hd_lock_set, created), HD_FIELD(struct hd_lock_set, site),
        HD_FLAG(struct hd_lock_set, writes),   HD_FLAG(struct hd_lock_set, atomic),
    };
    struct hd_lock_set *set = record;
    uint32_t thread = set->thread;
    HD_PACK_FIELDS(p, set, fields);
    hd_pack_thread(p, &thread);
    set->thread = (uint16_t)thread;
}

/* Creations are not packed: they belong to the path. */
void hd_lock_sets_pack(struct hd_lock_sets *s, struct hd_pack *p)
{
    static const struct hd_field fields[] = {
        HD_FIELDS(struct hd_lock_sets, locks),
        HD_FIELDS(struct hd_lock_sets, joiner),
        { offsetof(struct hd_lock_sets, joins), HD_MAX_THREADS, 1, true },
    };
    bool unknown = s->unknown || s->lists.full;
    hd_pack_bool(p, &unknown);
    if (unknown) {
        s->unknown = true;
        return;
    }
    HD_PACK_FIELDS(p, s, fields);
    hd_pack_u32(p, &s->n_locks, HD_MOST_LOCKS);
    hd_cell_lists_pack(&s->lists, p, pack_set);
}
