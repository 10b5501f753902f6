/* not-seen: do not go to a state that has been visited (SCALE Algorithm 3, NotSeenBefore).
 *
 * States are happens-before graphs (history.h): exact by default; `not-seen:hash` keeps 64-bit
 * hashes only, which may take two states for one, so it can't claim all schedules.
 *
 * Under a preemption bound a state visited with much of the bound used up must not stand for one
 * reached with more left: then the preemptions so far and the last thread belong to the key.
 *
 * When memory is used up states are no longer stored: more work, never a wrong answer. */
#include "explore/filter.h"

#include "base/hash.h"
#include "explore/history.h"

#include <string.h>

#define CHUNK (1u << 20)

struct not_seen {
    struct hd_history history;
    bool exact, bounded;
    uint32_t *preemptions; /* by depth, when bounded */
    /* visited: hashes, or offsets of stored tuples with 24 bits of their hash on top */
    uint64_t *table;
    uint64_t table_size, n;
    bool full;
    const char *base; /* of the arena: stored tuples are named by their distance from it */
    char *store;
    uint64_t store_used, store_size;
    uint32_t key_words;
    uint32_t key[HD_MAX_THREADS + 3];
};

static bool grow(struct hd_explorer *ex, struct not_seen *s);

static void *create_kind(struct hd_explorer *ex, bool exact)
{
    struct not_seen *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->exact = exact;
    s->base = ex->arena.base;
    s->bounded = (ex->opt->filters & HD_FILTER_PREEMPTIONS) != 0;
    s->preemptions = hd_arena_take(&ex->arena, 4ull * (HD_MAX_STEPS + 1));
    s->full = !hd_history_init(&s->history, &ex->arena, exact) || !s->preemptions;
    if (!grow(ex, s))
        s->full = true;
    return s;
}

static void *create_exact(struct hd_explorer *ex) { return create_kind(ex, true); }
static void *create_hash(struct hd_explorer *ex) { return create_kind(ex, false); }

/* The key of a state: the current one with `thread`'s sequence replaced. */
static uint64_t make_key(struct not_seen *s, uint32_t thread, uint32_t id, uint32_t preemptions)
{
    const struct hd_history *h = &s->history;
    uint32_t n = h->n_threads > thread ? h->n_threads : thread + 1;
    for (uint32_t t = 0; t < n; t++)
        s->key[t] = t == thread ? id : h->now[t];
    while (n && !s->key[n - 1])
        n--;
    if (s->bounded) {
        s->key[n++] = 0;
        s->key[n++] = preemptions;
        s->key[n++] = thread;
    }
    s->key_words = n;
    return hd_hash_bytes(n, s->key, 4ull * n);
}

/* An entry of the exact table: 24 bits of the hash, 40 bits of distance in 8-byte units. */
static const uint32_t *tuple_at(const struct not_seen *s, uint64_t entry)
{
    return (const uint32_t *)(const void *)(s->base + ((entry & 0xffffffffffull) << 3));
}

static uint64_t stored_hash(const struct not_seen *s, uint64_t entry)
{
    if (!s->exact)
        return entry;
    const uint32_t *tuple = tuple_at(s, entry);
    return hd_hash_bytes(tuple[0], tuple + 1, 4ull * tuple[0]);
}

static bool same(const struct not_seen *s, uint64_t entry, uint64_t hash)
{
    if (!s->exact)
        return entry == hash;
    if (entry >> 40 != hash >> 40)
        return false;
    const uint32_t *tuple = tuple_at(s, entry);
    return tuple[0] == s->key_words && memcmp(tuple + 1, s->key, 4ull * s->key_words) == 0;
}

/* Where the key is, or the empty slot where it would be. */
static uint64_t find(const struct not_seen *s, uint64_t hash)
{
    uint64_t mask = s->table_size - 1, i = hash & mask;
    while (s->table[i] && !same(s, s->table[i], hash))
        i = (i + 1) & mask;
    return i;
}

static bool grow(struct hd_explorer *ex, struct not_seen *s)
{
    uint64_t size = s->table_size ? 2 * s->table_size : 1024;
    uint64_t *table = hd_arena_take(&ex->arena, 8 * size);
    if (!table)
        return false;
    for (uint64_t i = 0; i < s->table_size; i++) {
        if (!s->table[i])
            continue;
        uint64_t at = stored_hash(s, s->table[i]) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = s->table[i];
    }
    if (s->table)
        hd_arena_give_back(s->table, 8 * s->table_size);
    s->table = table;
    s->table_size = size;
    return true;
}

static uint64_t store_tuple(struct hd_explorer *ex, struct not_seen *s, uint64_t hash)
{
    uint64_t bytes = (4ull * s->key_words + 4 + 7) & ~7ull;
    if (s->store_used + bytes > s->store_size) {
        s->store = hd_arena_take(&ex->arena, CHUNK);
        s->store_size = s->store ? CHUNK : 0;
        s->store_used = 0;
        if (!s->store)
            return 0;
    }
    uint32_t *tuple = (uint32_t *)(void *)(s->store + s->store_used);
    s->store_used += bytes;
    tuple[0] = s->key_words;
    memcpy(tuple + 1, s->key, 4ull * s->key_words);
    return (hash & ~0xffffffffffull) | (uint64_t)((const char *)tuple - s->base) >> 3;
}

/* The key (made by make_key, hash `hash`) is visited from now on. */
static void insert(struct hd_explorer *ex, struct not_seen *s, uint64_t hash)
{
    uint64_t at = find(s, hash);
    if (s->table[at] || s->full)
        return;
    uint64_t entry = s->exact ? store_tuple(ex, s, hash) : hash;
    if (!entry) {
        s->full = s->exact;
        return;
    }
    s->table[at] = entry;
    s->n++;
    ex->cnt->states++;
    if (2 * s->n > s->table_size && !grow(ex, s))
        s->full = true;
}

/* The hash-only key: the xor over the actions, and the bound's part. */
static uint64_t bare_key(const struct not_seen *s, uint64_t xor_hash, uint32_t thread,
                         uint32_t preemptions)
{
    if (s->bounded)
        xor_hash = hd_hash_step(hd_hash_step(xor_hash, preemptions), thread);
    return xor_hash ? xor_hash : 1;
}

static bool seen(struct hd_explorer *ex, struct not_seen *s, uint32_t alternative)
{
    uint32_t thread = HD_STEP_THREAD(alternative), depth = ex->path.depth;
    struct hd_action action = hd_explorer_outcome(ex, thread);
    uint32_t chosen = ex->world.chosen(ex->world.self, thread, HD_STEP_CHOICE(alternative));
    if (chosen == ~0u)
        chosen = HD_STEP_CHOICE(alternative);
    uint32_t preemptions =
        s->bounded ? s->preemptions[depth] + hd_path_preempts(&ex->path, depth, alternative) : 0;
    uint64_t hash;
    uint32_t id = hd_history_extend(&s->history, thread, &action, chosen, false, &hash);
    if (s->history.full)
        return false;
    if (!s->exact)
        hash = bare_key(s, s->history.xor_hash ^ hash, thread, preemptions);
    else if (id == 0)
        return false;
    else
        hash = make_key(s, thread, id, preemptions);
    return s->table[find(s, hash)] != 0;
}

/* The current state is visited: at a node, and where an execution ends. */
static void visit(struct not_seen *s, struct hd_explorer *ex)
{
    uint32_t last = ex->world.config->last;
    uint32_t preemptions = s->bounded ? s->preemptions[ex->path.depth] : 0;
    if (!s->history.full)
        insert(ex, s,
               s->exact ? make_key(s, last, s->history.now[last], preemptions)
                        : bare_key(s, s->history.xor_hash, last, preemptions));
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    (void)finding;
    visit(self, ex);
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct not_seen *s = self;
    uint32_t kept = 0;
    visit(s, ex);
    for (uint32_t i = 0; i < n; i++) {
        if (seen(ex, s, alts[i]))
            continue;
        uint32_t moved = alts[kept];
        alts[kept++] = alts[i];
        alts[i] = moved;
    }
    return kept;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct not_seen *s = self;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint32_t choice = HD_STEP_CHOICE(ex->path.steps[depth]);
    uint32_t chosen = ex->world.chosen(ex->world.self, thread, choice);
    hd_history_ran(&s->history, thread, &ex->path.nodes[depth].action,
                   chosen == ~0u ? choice : chosen);
    if (s->bounded)
        s->preemptions[depth + 1] =
            s->preemptions[depth] + hd_path_preempts(&ex->path, depth, ex->path.steps[depth]);
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct not_seen *s = self;
    while (s->history.depth > depth) {
        uint32_t at = s->history.depth - 1;
        hd_history_back(&s->history, HD_STEP_THREAD(ex->path.steps[at]),
                        &ex->path.nodes[at].action);
    }
}

const struct hd_filter hd_filter_not_seen = {
    .index = HD_FILTER_INDEX_NOT_SEEN,
    .create = create_exact,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
};

const struct hd_filter hd_filter_not_seen_hash = {
    .index = HD_FILTER_INDEX_NOT_SEEN_HASH,
    .create = create_hash,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
};
