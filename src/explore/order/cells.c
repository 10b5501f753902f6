#include "explore/order/cells.h"

#include "base/hash.h"
#include "core/pack.h"

#include <string.h>

/* Blocks of 8^k bytes, k from FIRST to LAST; smaller ones are words. */
enum { FIRST = 2, LAST = 10 };

static uint64_t block_bytes(uint32_t k) { return 1ull << 3 * k; }
static uint64_t block_begin(uint64_t addr, uint32_t k) { return addr & ~(block_bytes(k) - 1); }

/* Blocks are aligned to 64 bytes at least: k fits into the low bits, and no key is 0. */
static uint64_t block_key(uint64_t addr, uint32_t k) { return block_begin(addr, k) | k; }

static uint32_t divided_slot(const struct hd_cells *c, uint64_t key)
{
    uint32_t mask = c->divided_size - 1;
    uint32_t i = (uint32_t)(hd_hash_mix(key))&mask;
    while (c->divided[i] && c->divided[i] != key)
        i = (i + 1) & mask;
    return i;
}

static bool is_divided(const struct hd_cells *c, uint64_t addr, uint32_t k)
{
    return c->divided[divided_slot(c, block_key(addr, k))] != 0;
}

static bool grow_divided(struct hd_cells *c)
{
    uint32_t had = c->divided_size;
    const uint64_t *old = c->divided;
    uint32_t size = had ? 2 * had : 256;
    uint64_t *bigger = hd_arena_take(c->arena, size * sizeof *bigger);
    if (!bigger)
        return false;
    c->divided = bigger;
    c->divided_size = size;
    for (uint32_t i = 0; i < had; i++)
        if (old[i])
            bigger[divided_slot(c, old[i])] = old[i];
    return true;
}

/* Note that the blocks of 8^k bytes and more around the address contain smaller cells. */
static bool divide(struct hd_cells *c, uint64_t addr, uint32_t k)
{
    for (; k <= LAST; k++) {
        uint64_t key = block_key(addr, k);
        uint32_t slot = divided_slot(c, key);
        if (c->divided[slot])
            return true; /* and so are the blocks around it */
        if (4 * c->n_divided >= 3 * c->divided_size) {
            if (!grow_divided(c))
                return false;
            slot = divided_slot(c, key);
        }
        c->divided[slot] = key;
        c->n_divided++;
    }
    return true;
}

static bool grow(struct hd_cells *c)
{
    uint32_t cap = c->cap ? 2 * c->cap : 256;
    struct hd_cell *cells = hd_arena_take(c->arena, cap * sizeof *cells);
    uint32_t *table = hd_arena_take(c->arena, 4ull * cap * sizeof *table);
    if (!cells || !table)
        return false;
    if (c->n)
        memcpy(cells, c->cells, c->n * sizeof *cells);
    c->cells = cells;
    c->table = table;
    c->cap = cap;
    c->table_size = 4 * cap;
    for (uint32_t i = 0; i < c->n; i++)
        c->table[hd_cells_slot(c, cells[i].addr)] = i + 1;
    return true;
}

bool hd_cells_init(struct hd_cells *c, struct hd_arena *arena, void *owner,
                   void (*added)(void *owner, uint32_t from, uint32_t to))
{
    memset(c, 0, sizeof *c);
    c->arena = arena;
    c->owner = owner;
    c->added = added;
    return grow(c) && grow_divided(c);
}

static uint32_t add(struct hd_cells *c, uint64_t addr, uint32_t len, uint32_t from)
{
    if (c->n == c->cap && !grow(c))
        return ~0u;
    uint32_t index = c->n++;
    c->cells[index] = (struct hd_cell){ .addr = addr, .len = len };
    c->table[hd_cells_slot(c, addr)] = index + 1;
    c->added(c->owner, from == ~0u ? index : from, index);
    return index;
}

/* Cut cell `index` so that it ends at `addr`; the rest is a cell of its own, which is
 * returned. */
static uint32_t split(struct hd_cells *c, uint32_t index, uint64_t addr)
{
    struct hd_cell *cell = &c->cells[index];
    uint32_t left = (uint32_t)(addr - cell->addr), right = cell->len - left;
    cell->len = left;
    return add(c, addr, right, index);
}

uint32_t hd_cells_find(const struct hd_cells *c, uint64_t addr)
{
    uint32_t found = c->table[hd_cells_slot(c, addr)];
    return found ? found - 1 : ~0u;
}

/* Split a block into its eight parts. */
static bool divide_cell(struct hd_cells *c, uint32_t index, uint32_t k)
{
    uint64_t begin = c->cells[index].addr;
    uint32_t part = (uint32_t)block_bytes(k - 1);
    c->cells[index].len = part;
    for (uint32_t i = 1; i < 8; i++)
        if (add(c, begin + (uint64_t)i * part, part, index) == ~0u)
            return false;
    return divide(c, begin, k);
}

/* The cell of 64 bytes or more that the address lies in, and its k; ~0u: there is none. */
static uint32_t block_around(const struct hd_cells *c, uint64_t addr, uint32_t *k)
{
    for (*k = FIRST; *k <= LAST; ++*k) {
        uint32_t found = c->table[hd_cells_slot(c, block_begin(addr, *k))];
        if (found && c->cells[found - 1].len == block_bytes(*k))
            return found - 1;
        if (is_divided(c, addr, *k))
            break; /* larger ones are divided, too */
    }
    return ~0u;
}

void hd_cells_cut(struct hd_cells *c, uint64_t addr)
{
    for (uint32_t k, around; (around = block_around(c, addr, &k)) != ~0u;)
        if (c->cells[around].addr == addr || !divide_cell(c, around, k))
            return;
}

/* The largest block that begins at `addr`, ends at `end` or before, and has no cell in it: its
 * k, or FIRST - 1. */
static uint32_t largest_block(const struct hd_cells *c, uint64_t addr, uint64_t end)
{
    uint32_t k = FIRST - 1;
    while (k < LAST && block_begin(addr, k + 1) == addr && end - addr >= block_bytes(k + 1) &&
           !is_divided(c, addr, k + 1))
        k++;
    return k;
}

/* The cell at `addr` within its word, which is in no block; `end` is not beyond that word. */
static uint32_t word_at(struct hd_cells *c, uint64_t addr, uint64_t end)
{
    for (uint64_t a = addr & ~7ull; a < addr; a++) { /* inside a cell that starts before? */
        uint32_t before = c->table[hd_cells_slot(c, a)];
        if (before && a + c->cells[before - 1].len > addr) {
            uint32_t right = split(c, before - 1, addr);
            return right == ~0u ? ~0u : hd_cells_at(c, addr, end);
        }
    }
    for (uint64_t a = addr + 1; a < end; a++) /* up to the next cell */
        if (c->table[hd_cells_slot(c, a)])
            end = a;
    return divide(c, addr, FIRST) ? add(c, addr, (uint32_t)(end - addr), ~0u) : ~0u;
}

/* No cell begins at `addr`. */
static uint32_t make(struct hd_cells *c, uint64_t addr, uint64_t end)
{
    uint32_t k;
    uint32_t around = block_around(c, addr, &k);
    if (around != ~0u)
        return divide_cell(c, around, k) ? hd_cells_at(c, addr, end) : ~0u;
    k = largest_block(c, addr, end);
    if (k >= FIRST)
        return divide(c, addr, k + 1) ? add(c, addr, (uint32_t)block_bytes(k), ~0u) : ~0u;
    uint64_t word_end = (addr & ~7ull) + 8;
    return word_at(c, addr, end < word_end ? end : word_end);
}

uint32_t hd_cells_at(struct hd_cells *c, uint64_t addr, uint64_t end)
{
    uint32_t found = c->table[hd_cells_slot(c, addr)];
    if (!found)
        return make(c, addr, end);
    uint32_t len = c->cells[found - 1].len;
    if (__builtin_expect(addr + len <= end, 1))
        return found - 1; /* smaller: the caller continues where it ends */
    if (len <= 8)
        return split(c, found - 1, end) == ~0u ? ~0u : found - 1;
    uint32_t k = (uint32_t)__builtin_ctz(len) / 3;
    return divide_cell(c, found - 1, k) ? hd_cells_at(c, addr, end) : ~0u;
}

/* Can divide() have made this key? */
static bool is_key(uint64_t key)
{
    uint32_t k = (uint32_t)(key & 15);
    return k >= FIRST && k <= LAST && block_key(key, k) == key;
}

static void pack_divided(struct hd_cells *c, struct hd_pack *p)
{
    uint32_t n = c->n_divided, at = 0;
    hd_pack_count(p, &n, UINT32_MAX / 8);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        uint64_t key = 0;
        while (!p->reading && !(key = c->divided[at++]))
            ;
        hd_pack_u64(p, &key);
        if (!p->reading)
            continue;
        hd_pack_want(p, is_key(key));
        hd_pack_want(p, 4 * c->n_divided < 3 * c->divided_size || grow_divided(c));
        if (p->bad || c->divided[divided_slot(c, key)])
            continue;
        c->divided[divided_slot(c, key)] = key;
        c->n_divided++;
    }
}

/* Does it lie within a word, or is it an aligned block? */
static bool is_cell(const struct hd_cell *cell)
{
    uint32_t k = cell->len ? (uint32_t)__builtin_ctz(cell->len) / 3 : 0;
    if (cell->len <= 8)
        return cell->len && (cell->addr & 7) + cell->len <= 8;
    return k >= FIRST && k <= LAST && cell->len == block_bytes(k) &&
           block_begin(cell->addr, k) == cell->addr;
}

void hd_cells_pack(struct hd_cells *c, struct hd_pack *p)
{
    uint32_t n = c->n;
    hd_pack_count(p, &n, UINT32_MAX / 8);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        struct hd_cell cell = { 0 };
        if (!p->reading)
            cell = c->cells[i];
        hd_pack_u64(p, &cell.addr);
        hd_pack_u32(p, &cell.len, UINT32_MAX);
        hd_pack_want(p, is_cell(&cell));
        if (p->reading && !p->bad)
            hd_pack_want(p, hd_cells_find(c, cell.addr) == ~0u &&
                                add(c, cell.addr, cell.len, ~0u) != ~0u);
    }
    pack_divided(c, p);
}
