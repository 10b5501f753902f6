#include "strategy/dice_rank.h"

#include "core/enabled.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LOCKS 8      /* held at a time */
#define MOST_LOOKED 20000 /* accesses that are compared with each other */

struct access {
    struct hd_name name;
    uint32_t size, thread, site, at;
    bool writes, has_read, has_written;
    uint8_t n_locks;
    int64_t value_read, value_written;
    struct hd_name locks[MOST_LOCKS];
};

struct hd_rank {
    struct access *items;
    uint32_t n;
    uint32_t created[HD_MAX_THREADS],
        creator[HD_MAX_THREADS]; /* where in the log, by which thread */
    uint32_t joined[HD_MAX_THREADS], joiner[HD_MAX_THREADS];
};

struct held {
    uint32_t n;
    struct hd_name locks[MOST_LOCKS];
};

static bool same(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index &&
           a->offset == b->offset;
}

static void take(struct held *held, const struct hd_name *lock)
{
    if (held->n < MOST_LOCKS)
        held->locks[held->n++] = *lock;
}

static void give(struct held *held, const struct hd_name *lock)
{
    for (uint32_t i = 0; i < held->n; i++)
        if (same(&held->locks[i], lock)) {
            held->locks[i] = held->locks[--held->n];
            return;
        }
}

static void follow_locks(struct held *held, const struct hd_step *step)
{
    enum hd_op op = (enum hd_op)step->op;
    if (hd_op_takes(op))
        take(held, &step->object);
    else if (hd_op_gives(op))
        give(held, &step->object);
    else if (hd_op_gives_mutex(op))
        give(held, &step->object2);
}

static void follow_threads(struct hd_rank *rank, const struct hd_step *step, uint32_t at)
{
    uint32_t thread = step->object.thread;
    if (step->object.where != HD_WHERE_THREAD || thread >= HD_MAX_THREADS)
        return;
    if (step->op == HD_OP_CREATE) {
        rank->created[thread] = at;
        rank->creator[thread] = step->thread;
    } else if (step->op == HD_OP_JOIN) {
        rank->joined[thread] = at;
        rank->joiner[thread] = step->thread;
    }
}

/* A value as a number, signed, as most counters are.  Sizes that no integer has mean nothing
 * here. */
static int64_t as_number(uint64_t bits, uint32_t size)
{
    unsigned unused = size >= 8 || size == 0 ? 0 : 64 - 8 * size;
    return (int64_t)(bits << unused) >> unused;
}

static void add(struct hd_rank *rank, const struct hd_step *step, const struct hd_name *name,
                bool writes, const struct held *held, uint32_t at)
{
    struct access *a = &rank->items[rank->n++];
    *a = (struct access){ .name = *name,
                          .size = step->size,
                          .thread = step->thread,
                          .site = step->site,
                          .at = at,
                          .writes = writes,
                          .n_locks = (uint8_t)held->n };
    memcpy(a->locks, held->locks, sizeof a->locks);
    a->has_read = step->flags & HD_STEP_HAS_READ;
    a->has_written = step->flags & HD_STEP_HAS_WRITTEN;
    a->value_read = as_number(step->value_read, step->size);
    a->value_written = as_number(step->value_written, step->size);
}

struct hd_rank *hd_rank_create(const struct hd_run *run)
{
    struct hd_rank *rank = hd_alloc(sizeof *rank);
    struct held *held = hd_alloc(HD_MAX_THREADS * sizeof *held);
    uint32_t n = run->n_log < MOST_LOOKED ? run->n_log : MOST_LOOKED;
    rank->items = hd_alloc((2ul * n + 1) * sizeof *rank->items);
    memset(rank->creator, 0xff, sizeof rank->creator);
    memset(rank->joiner, 0xff, sizeof rank->joiner);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_step *step = &run->log[i];
        const struct hd_op_row *row = &hd_op_table[step->op];
        if (step->thread >= HD_MAX_THREADS)
            continue;
        follow_threads(rank, step, i);
        follow_locks(&held[step->thread], step);
        if (row->space != HD_SPACE_MEM)
            continue;
        add(rank, step, &step->object, row->access == HD_ACCESS_WRITE, &held[step->thread], i);
        if (step->op == HD_OP_COPY)
            add(rank, step, &step->object2, false, &held[step->thread], i);
    }
    free(held);
    return rank;
}

void hd_rank_destroy(struct hd_rank *rank)
{
    if (rank)
        free(rank->items);
    free(rank);
}

static bool overlap(const struct access *a, const struct access *b)
{
    return a->name.where == b->name.where && a->name.thread == b->name.thread &&
           a->name.index == b->name.index && a->name.offset < b->name.offset + b->size &&
           b->name.offset < a->name.offset + a->size;
}

static bool locked_apart(const struct access *a, const struct access *b)
{
    for (uint32_t i = 0; i < a->n_locks; i++)
        for (uint32_t k = 0; k < b->n_locks; k++)
            if (same(&a->locks[i], &b->locks[k]))
                return true;
    return false;
}

/* Did a's thread make its access before it created b's thread, or after it had joined it? */
static bool before_or_after(const struct hd_rank *rank, const struct access *a,
                            const struct access *b)
{
    uint32_t t = b->thread;
    return (rank->creator[t] == a->thread && a->at < rank->created[t]) ||
           (rank->joiner[t] == a->thread && a->at > rank->joined[t]);
}

static bool conflict(const struct hd_rank *rank, const struct access *a, const struct access *b)
{
    return a->thread != b->thread && (a->writes || b->writes) && !locked_apart(a, b) &&
           !before_or_after(rank, a, b) && !before_or_after(rank, b, a);
}

static void raise_to(struct hd_ranking *r, uint32_t thread, enum hd_worth worth, uint32_t other)
{
    if (r->worth[thread] >= worth)
        return;
    r->worth[thread] = (uint8_t)worth;
    r->other[thread] = other;
}

/* Rank threads by their accesses to the bytes that one read waits for. */
static void judge(const struct hd_rank *rank, const struct hd_dice *dice,
                  const struct access *const *found, uint32_t n, struct hd_ranking *ranking)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct access *a = found[i];
        if (hd_tset_has(&dice->inside, a->thread))
            continue;
        if (a->writes)
            raise_to(ranking, a->thread, HD_WORTH_WRITES, 0);
        for (uint32_t k = 0; k < n && ranking->worth[a->thread] < HD_WORTH_CONFLICT; k++)
            if (conflict(rank, a, found[k]))
                raise_to(ranking, a->thread,
                         hd_tset_has(&dice->inside, found[k]->thread) ? HD_WORTH_CONFLICT
                                                                      : HD_WORTH_PAIR,
                         found[k]->thread);
    }
}

void hd_rank_threads(const struct hd_rank *rank, const struct hd_dice *dice,
                     const uint64_t *wanted, struct hd_ranking *ranking)
{
    enum { MOST_READS = 200, MOST_FOUND = 500 };
    const struct access *found[MOST_FOUND];
    uint32_t reads = 0;
    memset(ranking, 0, sizeof *ranking);
    for (uint32_t i = 0; i < rank->n && reads < MOST_READS; i++) {
        const struct access *read = &rank->items[i];
        uint32_t n = 0;
        if (!hd_tset_has(&dice->inside, read->thread) || read->site >= dice->n_sites ||
            !(wanted[read->site] >> dice->kind[read->thread] & 1))
            continue;
        reads++;
        for (uint32_t k = 0; k < rank->n && n < MOST_FOUND; k++)
            if (overlap(read, &rank->items[k]))
                found[n++] = &rank->items[k];
        judge(rank, dice, found, n, ranking);
    }
}

/* By how much the thread has changed the bytes: the last value that it wrote minus the first
 * that it read. */
static bool change(const struct hd_rank *rank, const struct access *bytes, uint32_t thread,
                   int64_t *by)
{
    bool read = false, written = false;
    int64_t first = 0, last = 0;
    for (uint32_t i = 0; i < rank->n; i++) {
        const struct access *a = &rank->items[i];
        if (a->thread != thread || !same(&a->name, &bytes->name) || a->size != bytes->size)
            continue;
        if (a->has_read && !read) {
            first = a->value_read;
            read = true;
        }
        if (a->has_written && read) {
            last = a->value_written;
            written = true;
        }
    }
    *by = (int64_t)((uint64_t)last - (uint64_t)first);
    return written;
}

static uint32_t needed_for(const struct hd_rank *rank, const struct hd_compared *c,
                           const struct access *read, const uint32_t *list, uint32_t n)
{
    int64_t value = read->value_read, by;
    for (uint32_t i = 0; i < n; i++) {
        if (change(rank, read, list[i], &by))
            value = (int64_t)((uint64_t)value + (uint64_t)by);
        if (c->holds(value, c->number) != c->holds(read->value_read, c->number))
            return i + 1;
    }
    return 0;
}

uint32_t hd_rank_needed(const struct hd_rank *rank, const struct hd_dice *dice,
                        const struct hd_refined *refined, const uint32_t *list, uint32_t n)
{
    uint32_t least = 0;
    for (uint32_t k = 0; k < refined->n_compared; k++)
        for (uint32_t i = 0; i < rank->n; i++) {
            const struct access *a = &rank->items[i];
            if (a->site != refined->compared[k].site || !a->has_read ||
                !hd_tset_has(&dice->inside, a->thread))
                continue;
            uint32_t needed = needed_for(rank, &refined->compared[k], a, list, n);
            least = needed && (least == 0 || needed < least) ? needed : least;
        }
    return least ? least : 1;
}
