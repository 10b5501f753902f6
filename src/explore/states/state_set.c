#include "explore/states/state_set.h"

#include "base/hash.h"
#include "core/pack.h"

#include <string.h>

#define CHUNK (1u << 20)
#define WAYS 4u
#define SLOT_WORDS 32u /* of a cached tuple with its length; longer ones are not stored */
#define DISTANCE 0xffffffffffull

/* An entry of the exact table: 24 bits of the hash, 40 bits of distance in 8-byte units. */
static const uint32_t *tuple_at(const struct hd_state_set *set, uint64_t entry)
{
    return (const uint32_t *)(const void *)(set->arena->base + ((entry & DISTANCE) << 3));
}

static uint64_t entry_for(const struct hd_state_set *set, const uint32_t *tuple, uint64_t hash)
{
    return (hash & ~DISTANCE) | (uint64_t)((const char *)tuple - set->arena->base) >> 3;
}

static bool same(const struct hd_state_set *set, uint64_t entry, const uint32_t *key,
                 uint32_t words, uint64_t hash)
{
    if (!set->exact)
        return entry == hash;
    if (entry >> 40 != hash >> 40)
        return false;
    const uint32_t *tuple = tuple_at(set, entry);
    return tuple[0] == words && memcmp(tuple + 1, key, 4ull * words) == 0;
}

static uint64_t stored_hash(const struct hd_state_set *set, uint64_t entry)
{
    if (!set->exact)
        return entry;
    const uint32_t *tuple = tuple_at(set, entry);
    return hd_hash_bytes(tuple[0], tuple + 1, 4ull * tuple[0]);
}

static bool grow(struct hd_state_set *set)
{
    uint64_t size = set->size ? 2 * set->size : 1024;
    uint64_t *table = hd_arena_take(set->arena, 8 * size);
    if (!table)
        return false;
    for (uint64_t i = 0; i < set->size; i++) {
        if (!set->table[i])
            continue;
        uint64_t at = stored_hash(set, set->table[i]) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = set->table[i];
    }
    if (set->table)
        hd_arena_give_back(set->table, 8 * set->size);
    set->table = table;
    set->size = size;
    return true;
}

static bool make_cache(struct hd_state_set *set)
{
    set->size = (set->limit + WAYS - 1) / WAYS * WAYS;
    set->table = hd_arena_take(set->arena, 8 * set->size);
    set->turn = hd_arena_take(set->arena, set->size / WAYS);
    if (set->exact)
        set->slots = hd_arena_take(set->arena, 4ull * SLOT_WORDS * set->size);
    return set->table && set->turn && (!set->exact || set->slots);
}

bool hd_state_set_init(struct hd_state_set *set, struct hd_arena *arena, bool exact,
                       uint64_t limit)
{
    memset(set, 0, sizeof *set);
    set->arena = arena;
    set->exact = exact;
    set->limit = limit;
    set->full = !(limit ? make_cache(set) : grow(set));
    return !set->full;
}

/* The first of the ways of the hash's set. */
static uint64_t set_of(const struct hd_state_set *set, uint64_t hash)
{
    uint64_t sets = set->size / WAYS;
    return (uint64_t)((unsigned __int128)hash * sets >> 64) * WAYS;
}

/* Where the key is; otherwise the free place for it, or, in a full set of a cache, ~0. */
static uint64_t find(const struct hd_state_set *set, const uint32_t *key, uint32_t words,
                     uint64_t hash)
{
    if (set->limit) {
        uint64_t at = set_of(set, hash);
        for (uint64_t i = at; i < at + WAYS; i++)
            if (!set->table[i] || same(set, set->table[i], key, words, hash))
                return i;
        return ~0ull;
    }
    uint64_t mask = set->size - 1, i = hash & mask;
    while (set->table[i] && !same(set, set->table[i], key, words, hash))
        i = (i + 1) & mask;
    return i;
}

bool hd_state_set_has(const struct hd_state_set *set, const uint32_t *key, uint32_t words,
                      uint64_t hash)
{
    if (!set->table)
        return false;
    uint64_t at = find(set, key, words, hash);
    return at != ~0ull && set->table[at] != 0;
}

static uint64_t store_tuple(struct hd_state_set *set, const uint32_t *key, uint32_t words,
                            uint64_t hash)
{
    uint64_t bytes = (4ull * words + 4 + 7) & ~7ull;
    if (set->store_used + bytes > set->store_size) {
        set->store = hd_arena_take(set->arena, CHUNK);
        set->store_size = set->store ? CHUNK : 0;
        set->store_used = 0;
        if (!set->store)
            return 0;
    }
    uint32_t *tuple = (uint32_t *)(void *)(set->store + set->store_used);
    set->store_used += bytes;
    tuple[0] = words;
    memcpy(tuple + 1, key, 4ull * words);
    return entry_for(set, tuple, hash);
}

static bool cache(struct hd_state_set *set, uint64_t at, const uint32_t *key, uint32_t words,
                  uint64_t hash)
{
    if (set->exact && words + 1 > SLOT_WORDS)
        return false;
    if (at == ~0ull) {
        uint64_t first = set_of(set, hash);
        at = first + set->turn[first / WAYS]++ % WAYS;
    } else {
        set->n++;
    }
    if (set->exact) {
        uint32_t *tuple = set->slots + SLOT_WORDS * at;
        tuple[0] = words;
        memcpy(tuple + 1, key, 4ull * words);
        set->table[at] = entry_for(set, tuple, hash);
    } else {
        set->table[at] = hash;
    }
    return true;
}

bool hd_state_set_add(struct hd_state_set *set, const uint32_t *key, uint32_t words,
                      uint64_t hash)
{
    if (set->full)
        return false;
    uint64_t at = find(set, key, words, hash);
    if (at != ~0ull && set->table[at])
        return false;
    if (set->limit)
        return cache(set, at, key, words, hash);
    uint64_t entry = set->exact ? store_tuple(set, key, words, hash) : hash;
    if (!entry) {
        set->full = true;
        return false;
    }
    set->table[at] = entry;
    set->n++;
    if (2 * set->n > set->size && !grow(set))
        set->full = true;
    return true;
}

#define LONGEST_KEY 512u /* words */

/* Write an occupied entry.  In a cache its place matters, and which way is replaced next. */
static void write_entry(struct hd_state_set *set, struct hd_pack *p, uint64_t at)
{
    uint64_t entry = set->table[at];
    if (set->limit)
        hd_pack_u64(p, &at);
    if (!set->exact) {
        hd_pack_u64(p, &entry);
        return;
    }
    const uint32_t *tuple = tuple_at(set, entry);
    uint32_t words = tuple[0];
    hd_pack_u32(p, &words, LONGEST_KEY);
    for (uint32_t i = 1; i <= words; i++) {
        uint32_t word = tuple[i];
        hd_pack_u32(p, &word, UINT32_MAX);
    }
}

static void read_entry(struct hd_state_set *set, struct hd_pack *p)
{
    uint32_t key[LONGEST_KEY], words = 0;
    uint64_t at = 0, hash = 0;
    if (set->limit)
        hd_pack_u64(p, &at);
    if (set->exact) {
        hd_pack_u32(p, &words, set->limit ? SLOT_WORDS - 1 : LONGEST_KEY);
        for (uint32_t i = 0; i < words; i++)
            hd_pack_u32(p, &key[i], UINT32_MAX);
        hash = hd_hash_bytes(words, key, 4ull * words);
    } else {
        hd_pack_u64(p, &hash);
    }
    hd_pack_want(p, hash && (!set->limit || (at < set->size && !set->table[at])));
    if (!p->bad)
        hd_pack_want(p, set->limit ? cache(set, at, key, words, hash)
                                   : hd_state_set_add(set, key, words, hash));
}

void hd_state_set_pack(struct hd_state_set *set, struct hd_pack *p)
{
    uint64_t n = set->n;
    bool full = set->full;
    hd_pack_bool(p, &full);
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t i = 0; p->reading && i < n && !p->bad; i++)
        read_entry(set, p);
    for (uint64_t at = 0; !p->reading && at < set->size && !p->bad; at++)
        if (set->table[at])
            write_entry(set, p, at);
    if (set->limit)
        hd_pack_bytes(p, set->turn, set->size / WAYS);
    set->full = full;
}
