#include "analyse/future.h"

#include "analyse/slice.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct rows {
    uint64_t *items;
    uint32_t n, room, words;
    struct hd_u64map by_hash; /* -> row; a row with the hash of another is stored again */
};

struct maker {
    const struct hd_facts *facts;
    uint32_t *bit; /* by point: its bit + 1 */
    uint32_t n_visible, words;
    uint64_t *function; /* by function: all that it may do */
    uint64_t *block;    /* by block: from its beginning on */
    struct rows rows;
};

static uint32_t intern(struct rows *rows, const uint64_t *row)
{
    bool is_new;
    uint64_t hash = hd_hash_bytes(1, row, rows->words * sizeof *row) >> 1;
    uint32_t *slot = hd_u64map_put(&rows->by_hash, hash, &is_new);
    if (!is_new &&
        memcmp(rows->items + (size_t)*slot * rows->words, row, rows->words * sizeof *row) == 0)
        return *slot;
    if (rows->n == rows->room) {
        rows->room = rows->room ? rows->room * 2 : 64;
        rows->items = hd_realloc(rows->items,
                                 (size_t)rows->room * rows->words * sizeof *rows->items);
    }
    memcpy(rows->items + (size_t)rows->n * rows->words, row, rows->words * sizeof *row);
    *slot = rows->n;
    return rows->n++;
}

static bool merge(uint64_t *into, const uint64_t *from, uint32_t words)
{
    bool changed = false;
    for (uint32_t i = 0; i < words; i++) {
        changed |= (from[i] & ~into[i]) != 0;
        into[i] |= from[i];
    }
    return changed;
}

static void set_bit(uint64_t *row, uint32_t bit) { row[bit / 64] |= 1ull << bit % 64; }

/* What the point itself adds: its own bit, what it calls, which threads it starts. */
static void add_point(const struct maker *m, uint64_t *row, uint32_t point)
{
    const struct hd_facts *facts = m->facts;
    uint32_t n;
    if (m->bit[point])
        set_bit(row, m->bit[point] - 1);
    if (!hd_code_is_call(facts->code.insts[point]))
        return;
    const struct hd_edge *edges = hd_points_to_edges(&facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t function = edges[i].function;
        if (edges[i].kind == HD_EDGE_SPAWN)
            set_bit(row,
                    m->n_visible + hd_threads_entry(&facts->threads,
                                                    hd_code_is_defined(&facts->code, function)
                                                        ? function
                                                        : HD_NO_POINT));
        else if (hd_code_is_defined(&facts->code, function))
            merge(row, m->function + (size_t)function * m->words, m->words);
    }
    /* Unknown code may call any function whose address it has. */
    for (uint32_t f = 0; facts->points_to.calls_unknown[point] && f < facts->code.n_functions;
         f++)
        if (facts->points_to.called_from_outside[f])
            merge(row, m->function + (size_t)f * m->words, m->words);
}

static void find_functions(struct maker *m)
{
    const struct hd_code *code = &m->facts->code;
    for (bool changed = true; changed;) {
        changed = false;
        uint64_t *row = hd_alloc((m->words + 1) * sizeof *row);
        for (uint32_t f = code->n_functions; f-- > 0;) {
            memset(row, 0, m->words * sizeof *row);
            for (uint32_t i = code->functions[f].first; i < code->functions[f].end; i++)
                add_point(m, row, i);
            changed |= merge(m->function + (size_t)f * m->words, row, m->words);
        }
        free(row);
    }
}

static void behind_block(const struct maker *m, uint32_t block, uint64_t *row)
{
    const struct hd_cfg *cfg = &m->facts->cfg;
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
        merge(row, m->block + (size_t)cfg->succ[e] * m->words, m->words);
}

static void find_blocks(struct maker *m)
{
    const struct hd_code *code = &m->facts->code;
    uint64_t *row = hd_alloc((m->words + 1) * sizeof *row);
    for (uint32_t f = 0; f < code->n_functions; f++)
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t b = code->functions[f].end_block;
                 b-- > code->functions[f].first_block;) {
                memset(row, 0, m->words * sizeof *row);
                behind_block(m, b, row);
                for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
                    add_point(m, row, i);
                changed |= merge(m->block + (size_t)b * m->words, row, m->words);
            }
        }
    free(row);
}

/* The rows of all points, from the end of every block. */
static void find_rows(struct maker *m, uint32_t *row_of)
{
    const struct hd_code *code = &m->facts->code;
    uint64_t *row = hd_alloc((m->words + 1) * sizeof *row);
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        memset(row, 0, m->words * sizeof *row);
        behind_block(m, b, row);
        uint32_t last = intern(&m->rows, row);
        for (uint32_t i = code->blocks[b].end; i-- > code->blocks[b].first;) {
            if (m->bit[i] || hd_code_is_call(code->insts[i])) {
                add_point(m, row, i);
                last = intern(&m->rows, row);
            }
            row_of[i] = last;
        }
    }
    free(row);
}

static struct hd_future *pack(struct maker *m, const uint32_t *row_of)
{
    const struct hd_facts *facts = m->facts;
    uint32_t n = facts->code.n_insts, entries = facts->threads.n;
    uint64_t head = sizeof(struct hd_future), at = head;
    struct hd_future f = { .magic = HD_FUTURE_MAGIC, .n_points = n, .n_visible = m->n_visible };
    f.n_entries = entries;
    f.words = m->words;
    f.visible = (uint32_t)at;
    f.row_of = (uint32_t)(at += m->n_visible * sizeof(uint32_t));
    f.entry_row = (uint32_t)(at += n * sizeof(uint32_t));
    at += entries * sizeof(uint32_t);
    at = (at + 7) & ~7ull;
    f.rows = (uint32_t)at;
    uint32_t *entry_row = hd_alloc((entries + 1) * sizeof *entry_row);
    uint64_t *nothing = hd_alloc((m->words + 1) * sizeof *nothing);
    for (uint32_t e = 0; e < entries; e++) {
        uint32_t function = facts->threads.entries[e].function;
        entry_row[e] = intern(&m->rows, function == HD_NO_POINT
                                            ? nothing
                                            : m->function + (size_t)function * m->words);
    }
    for (uint32_t k = 0; k < facts->code.n_functions; k++)
        if (facts->points_to.called_from_outside[k])
            merge(nothing, m->function + (size_t)k * m->words, m->words);
    for (uint32_t i = 0; i < facts->points_to.n_edges; i++)
        if (facts->points_to.edges[i].kind == HD_EDGE_LATER)
            merge(nothing, m->function + (size_t)facts->points_to.edges[i].function * m->words,
                  m->words);
    f.always = intern(&m->rows, nothing);
    f.n_rows = m->rows.n;
    f.bytes = at + (uint64_t)f.n_rows * f.words * 8;
    char *out = hd_alloc(f.bytes);
    memcpy(out, &f, sizeof f);
    for (uint32_t i = 0; i < n; i++)
        if (m->bit[i])
            ((uint32_t *)(void *)(out + f.visible))[m->bit[i] - 1] = i;
    memcpy(out + f.row_of, row_of, n * sizeof *row_of);
    memcpy(out + f.entry_row, entry_row, entries * sizeof *entry_row);
    memcpy(out + f.rows, m->rows.items, (size_t)f.n_rows * f.words * 8);
    free(entry_row);
    free(nothing);
    return (struct hd_future *)(void *)out;
}

struct hd_future *hd_future_create(const struct hd_facts *facts, size_t most)
{
    const struct hd_code *code = &facts->code;
    struct maker m = { .facts = facts };
    m.bit = hd_alloc((code->n_insts + 1) * sizeof *m.bit);
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (hd_slice_is_visible(facts, i))
            m.bit[i] = ++m.n_visible;
    m.words = (m.n_visible + facts->threads.n) / 64 + 1;
    uint64_t working = ((uint64_t)code->n_functions + code->n_blocks) * m.words * 8;
    if (working > most || code->n_insts > most / 4) {
        free(m.bit);
        return NULL;
    }
    m.function = hd_alloc((code->n_functions + 1) * (size_t)m.words * 8);
    m.block = hd_alloc((code->n_blocks + 1) * (size_t)m.words * 8);
    m.rows.words = m.words;
    hd_u64map_init(&m.rows.by_hash);
    uint32_t *row_of = hd_alloc((code->n_insts + 1) * sizeof *row_of);
    find_functions(&m);
    find_blocks(&m);
    find_rows(&m, row_of);
    bool fits = (uint64_t)m.rows.n * m.words * 8 < most && m.rows.n < UINT32_MAX / 2;
    struct hd_future *future = fits ? pack(&m, row_of) : NULL;
    free(row_of);
    free(m.function);
    free(m.block);
    free(m.rows.items);
    hd_u64map_release(&m.rows.by_hash);
    free(m.bit);
    return future;
}

static bool inside(uint64_t n, uint64_t offset, uint64_t bytes)
{
    return offset <= n && bytes <= n - offset;
}

bool hd_future_check(const void *bytes, size_t n)
{
    const struct hd_future *f = bytes;
    if (n < sizeof *f || f->magic != HD_FUTURE_MAGIC || f->bytes != n || f->rows % 8 ||
        f->always >= f->n_rows || f->words != (f->n_visible + f->n_entries) / 64 + 1 ||
        !inside(n, f->visible, (uint64_t)f->n_visible * 4) ||
        !inside(n, f->row_of, (uint64_t)f->n_points * 4) ||
        !inside(n, f->entry_row, (uint64_t)f->n_entries * 4) ||
        !inside(n, f->rows, (uint64_t)f->n_rows * f->words * 8))
        return false;
    const uint32_t *row_of = (const uint32_t *)((const char *)bytes + f->row_of);
    const uint32_t *entry_row = (const uint32_t *)((const char *)bytes + f->entry_row);
    for (uint32_t i = 0; i < f->n_points; i++)
        if (row_of[i] >= f->n_rows)
            return false;
    for (uint32_t i = 0; i < f->n_entries; i++)
        if (entry_row[i] >= f->n_rows)
            return false;
    return true;
}
