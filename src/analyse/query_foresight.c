/* The static phase of the reductions that look ahead: hd_future's rows, by site, with the rows
 * of the threads that may be started merged in; and which points may touch the same thing. */
#include "analyse/future.h"
#include "analyse/query_internal.h"
#include "base/hash.h"
#include "base/u64map.h"
#include "core/foresight.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MATRIX 2000u /* points whose conflicts are looked at pair by pair */

struct maker {
    const struct hd_query *q;
    struct hd_future *future;
    struct hd_foresight *out;
    uint32_t *bit_of; /* by point: bit + 1 */
    uint64_t *row;
    struct hd_u64map by_hash; /* of a row: its number */
};

static bool has_bit(const uint64_t *row, uint32_t bit) { return row[bit / 64] >> bit % 64 & 1; }

/* The threads that code of the row may start, and those that these may start. */
static void add_started(const struct maker *m, uint64_t *row)
{
    const struct hd_future *f = m->future;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < f->n_entries; e++) {
            if (!has_bit(row, f->n_visible + e))
                continue;
            const uint64_t *theirs = hd_future_of_entry(f, e);
            for (uint32_t i = 0; i < f->words; i++) {
                changed = changed || (theirs[i] & ~row[i]);
                row[i] |= theirs[i];
            }
        }
    }
}

/* The row of what can follow, merged with `more` (NULL: nothing) and `bit` (0: none, otherwise
 * + 1); its number + 1, 0 when there is no room. */
static uint32_t keep(struct maker *m, const uint64_t *first, const uint64_t *more, uint32_t bit)
{
    struct hd_foresight *out = m->out;
    for (uint32_t i = 0; i < out->words; i++)
        m->row[i] = first[i] | (more ? more[i] : 0);
    if (bit)
        m->row[(bit - 1) / 64] |= 1ull << (bit - 1) % 64;
    add_started(m, m->row);
    bool fresh;
    uint64_t hash = hd_hash_bytes(1, m->row, out->words * sizeof *m->row) >> 1;
    uint32_t *slot = hd_u64map_put(&m->by_hash, hash, &fresh);
    if (!fresh &&
        memcmp(out->rows + (size_t)*slot * out->words, m->row, out->words * sizeof *m->row) == 0)
        return *slot + 1;
    if ((uint64_t)(out->n_rows + 1) * out->words > HD_FORESIGHT_WORDS / 2)
        return 0;
    memcpy(out->rows + (size_t)out->n_rows * out->words, m->row, out->words * sizeof *m->row);
    *slot = out->n_rows;
    return ++out->n_rows;
}

/* Where an exception goes that leaves the call; NULL: out of the function. */
static const uint64_t *unwound(const struct maker *m, uint32_t point)
{
    const struct hd_code *code = &m->q->facts.code;
    LLVMValueRef inst = code->insts[point];
    if (!LLVMIsAInvokeInst(inst))
        return NULL;
    return hd_future_at(m->future,
                        code->blocks[hd_code_block(code, LLVMGetUnwindDest(inst))].first);
}

/* Behind the call: not what it calls, but what the library does at its place itself. */
static uint32_t behind(struct maker *m, uint32_t point)
{
    const struct hd_code *code = &m->q->facts.code;
    LLVMValueRef inst = code->insts[point];
    uint32_t next = point + 1;
    if (LLVMIsAInvokeInst(inst))
        next = code->blocks[hd_code_block(code, LLVMGetNormalDest(inst))].first;
    else if (next >= code->blocks[code->block_of[point]].end)
        return 0;
    return keep(m, hd_future_at(m->future, next), unwound(m, point), m->bit_of[point]);
}

static bool is_write(const struct hd_mem_access *a)
{
    return a->flags & (HD_MEM_WRITE | HD_MEM_SYNC | HD_MEM_OUTSIDE);
}

static bool conflict(const struct hd_query *q, uint32_t p, uint32_t r)
{
    const struct hd_accesses *all = &q->facts.accesses;
    if (all->sync[p] == HD_SYNC_OTHER || all->sync[r] == HD_SYNC_OTHER)
        return true;
    for (uint32_t i = all->first[p]; i < all->first[p + 1]; i++)
        for (uint32_t k = all->first[r]; k < all->first[r + 1]; k++) {
            const struct hd_mem_access *a = &all->items[i], *b = &all->items[k];
            if (!is_write(a) && !is_write(b))
                continue;
            if ((a->flags | b->flags) & HD_MEM_OUTSIDE)
                return true;
            if (hd_accesses_meet((struct hd_points_to *)(uintptr_t)&q->facts.points_to, a, b))
                return true;
        }
    return false;
}

static void add_conflicts(struct maker *m)
{
    struct hd_foresight *out = m->out;
    const uint32_t *visible = (const uint32_t *)(const void *)((const char *)m->future +
                                                               m->future->visible);
    if (out->n_bits > MOST_MATRIX ||
        (uint64_t)(out->n_rows + out->n_bits) * out->words > HD_FORESIGHT_WORDS)
        return;
    out->conflicts = out->n_rows;
    out->n_rows += out->n_bits;
    for (uint32_t a = 0; a < out->n_bits; a++)
        for (uint32_t b = a; b < out->n_bits; b++)
            if (conflict(m->q, visible[a], visible[b])) {
                out->rows[(size_t)(out->conflicts + a) * out->words + b / 64] |= 1ull << b % 64;
                out->rows[(size_t)(out->conflicts + b) * out->words + a / 64] |= 1ull << a % 64;
            }
}

static void fill(struct maker *m, const struct hd_query_sites *sites)
{
    struct hd_foresight *out = m->out;
    const uint32_t *visible = (const uint32_t *)(const void *)((const char *)m->future +
                                                               m->future->visible);
    out->n_sites = sites->n;
    out->n_bits = m->future->n_visible;
    out->words = m->future->words;
    for (uint32_t i = 0; i < out->n_bits; i++)
        m->bit_of[visible[i]] = i + 1;
    uint32_t always = keep(m, hd_future_row(m->future, m->future->always), NULL, 0);
    out->always = always - 1;
    for (uint32_t i = 0; i < sites->n; i++) {
        uint32_t point = sites->points[i];
        if (point >= m->future->n_points)
            continue;
        out->bit[i] = m->bit_of[point];
        out->at[i] = keep(m, hd_future_at(m->future, point), NULL, 0);
        out->behind[i] = behind(m, point);
    }
    add_conflicts(m);
    if (always == 0)
        out->n_sites = 0;
}

bool hd_query_foresight(struct hd_query *q, const struct hd_query_sites *sites,
                        struct hd_foresight *out)
{
    static const char *const jumps[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp" };
    memset(out, 0, offsetof(struct hd_foresight, rows));
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        if (hd_query_calls(q, jumps[i]))
            return false; /* longjmp comes back where the rows do not look */
    struct maker m = { .q = q, .out = out };
    m.future = hd_future_create(&q->facts, (size_t)HD_FORESIGHT_WORDS * 8);
    if (!m.future)
        return false;
    m.bit_of = hd_alloc((q->facts.code.n_insts + 1) * sizeof *m.bit_of);
    m.row = hd_alloc((m.future->words + 1) * sizeof *m.row);
    hd_u64map_init(&m.by_hash);
    fill(&m, sites);
    hd_u64map_release(&m.by_hash);
    free(m.row);
    free(m.bit_of);
    free(m.future);
    return out->n_sites > 0;
}
