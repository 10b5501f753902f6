#include "explore/jobs/state_table.h"

#include "core/futex.h"
#include "core/pack.h"

#include <linux/futex.h>

#define LINE 4u             /* slots of a cache line */
#define FIRST (1ull << 20)  /* pages that nobody touches cost nothing */
#define GROWTH 4u           /* all wait while the table grows */
#define LINES_AT_MOST 4096u /* that are looked at before the table counts as full */
#define BATCH 16u           /* a worker counts so many of its states at once */
#define NUMBERS 256u        /* and takes so many numbers */
#define SPINS 256u
#define SLEEP_NS 50000l

static uint64_t load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

/* Another worker is about to do something.  It may need our processor for that. */
static void wait_a_little(uint32_t *turns)
{
    static const struct timespec limit = { 0, SLEEP_NS };
    uint32_t nobody = 0;
    if (++*turns % SPINS)
        __builtin_ia32_pause();
    else
        hd_futex(&nobody, FUTEX_WAIT, 0, &limit);
}

static uint64_t bytes(uint64_t size)
{
    return size / HD_STATE_GROUP * sizeof(struct hd_state_group) + 64;
}

static struct hd_state_slot *slot_at(const struct hd_state_table *t, uint64_t at)
{
    return &t->groups[at / HD_STATE_GROUP].slots[at % HD_STATE_GROUP];
}

static struct hd_state_tag *tag_at(const struct hd_state_table *t, uint64_t at)
{
    return &t->groups[at / HD_STATE_GROUP].tags[at % HD_STATE_GROUP];
}

static bool make(struct hd_state_table *t, struct hd_arena *arena, uint64_t size)
{
    void *groups = hd_arena_take(arena, bytes(size));
    if (!groups)
        return false;
    t->groups = (void *)(((uintptr_t)groups + 63) & ~(uintptr_t)63);
    t->size = size;
    return true;
}

bool hd_state_table_init(struct hd_state_table *t, struct hd_arena *arena)
{
    return make(t, arena, t->first ? t->first : FIRST);
}

/* Neither half of a key may look like that of a free slot. */
static struct hd_state_slot proper(const uint64_t key[2])
{
    return (struct hd_state_slot){ key[0] ? key[0] : 1, key[1] ? key[1] : 1 };
}

static uint64_t line_of(const struct hd_state_table *t, const struct hd_state_slot *key)
{
    return key->lo & (t->size - 1) & ~(uint64_t)(LINE - 1);
}

/* The slot has our `lo`.  Is the other half ours, too? (B2) */
static bool is_ours(const struct hd_state_slot *slot, uint64_t hi)
{
    uint64_t there;
    uint32_t turns = 0;
    while (!(there = load(&slot->hi)))
        wait_a_little(&turns);
    return there == hi;
}

/* Take the slot if it is free. */
static enum hd_claim try_slot(struct hd_state_table *t, uint64_t at,
                              const struct hd_state_slot *key, struct hd_state_tag *tag)
{
    struct hd_state_slot *slot = slot_at(t, at);
    uint64_t lo = load(&slot->lo);
    if (!lo && __atomic_compare_exchange_n(&slot->lo, &lo, key->lo, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE)) {
        *tag_at(t, at) = *tag;
        __atomic_store_n(&slot->hi, key->hi, __ATOMIC_RELEASE);
        return HD_CLAIM_OURS;
    }
    if (lo != key->lo || !is_ours(slot, key->hi))
        return HD_CLAIM_FULL;
    *tag = *tag_at(t, at);
    return HD_CLAIM_KNOWN;
}

static enum hd_claim claim(struct hd_state_table *t, const struct hd_state_slot *key,
                           struct hd_state_tag *tag)
{
    uint64_t line = line_of(t, key), lines = t->size / LINE;
    for (uint32_t i = 0; i < LINES_AT_MOST && i < lines; i++) {
        for (uint32_t k = 0; k < LINE; k++) {
            enum hd_claim found = try_slot(t, line + k, key, tag);
            if (found != HD_CLAIM_FULL)
                return found;
        }
        line = (line + LINE) & (t->size - 1);
    }
    return HD_CLAIM_FULL;
}

/* B4: while we are inside, the table stays where it is. */
static void enter(struct hd_state_table *t, uint32_t worker)
{
    uint32_t turns = 0;
    for (;;) {
        __atomic_store_n(&t->workers[worker].inside, 1, __ATOMIC_SEQ_CST);
        if (!__atomic_load_n(&t->growing, __ATOMIC_SEQ_CST))
            return;
        __atomic_store_n(&t->workers[worker].inside, 0, __ATOMIC_RELEASE);
        while (__atomic_load_n(&t->growing, __ATOMIC_ACQUIRE))
            wait_a_little(&turns);
    }
}

/* The number that the next state of the worker gets.  (Beyond 2^32 there is no room for
 * states.) */
static uint32_t next_number(struct hd_state_table *t, uint32_t worker)
{
    if (!t->workers[worker].n_next) {
        t->workers[worker].next = __atomic_fetch_add(&t->numbers, NUMBERS, __ATOMIC_RELAXED);
        t->workers[worker].n_next = NUMBERS;
    }
    return t->workers[worker].next;
}

/* Slot and tag are hardly ever in a cache.  If the table grows meanwhile, nothing is lost. */
static void prefetch(const struct hd_state_table *t, const struct hd_state_slot *key)
{
    uint64_t size = __atomic_load_n(&t->size, __ATOMIC_RELAXED);
    uint64_t line = key->lo & (size - 1) & ~(uint64_t)(LINE - 1);
    struct hd_state_table now = { .groups = __atomic_load_n(&t->groups, __ATOMIC_RELAXED) };
    __builtin_prefetch(slot_at(&now, line), 1);
    __builtin_prefetch(tag_at(&now, line), 1);
}

enum hd_claim hd_state_table_claim(struct hd_state_table *t, uint32_t worker,
                                   const uint64_t key[2], struct hd_state_tag *tag)
{
    struct hd_state_slot proper_key = proper(key);
    prefetch(t, &proper_key);
    tag->number = next_number(t, worker);
    enter(t, worker);
    enum hd_claim found = claim(t, &proper_key, tag);
    __atomic_store_n(&t->workers[worker].inside, 0, __ATOMIC_RELEASE);
    if (found != HD_CLAIM_OURS)
        return found;
    t->workers[worker].next++;
    t->workers[worker].n_next--;
    if (++t->workers[worker].added == BATCH) {
        __atomic_fetch_add(&t->n, BATCH, __ATOMIC_RELAXED);
        t->workers[worker].added = 0;
    }
    return found;
}

bool hd_state_table_is_filled(const struct hd_state_table *t)
{
    uint64_t size = __atomic_load_n(&t->size, __ATOMIC_RELAXED);
    return __atomic_load_n(&t->n, __ATOMIC_RELAXED) >= size / 4 * 3;
}

static void move_all(struct hd_state_table *to, const struct hd_state_table *from)
{
    for (uint64_t i = 0; i < from->size; i++)
        if (slot_at(from, i)->lo) {
            struct hd_state_tag tag = *tag_at(from, i);
            claim(to, slot_at(from, i), &tag);
        }
}

void hd_state_table_grow(struct hd_state_table *t, struct hd_arena *arena)
{
    struct hd_state_table larger = { .size = 0 };
    uint32_t turns = 0;
    if (!hd_state_table_is_filled(t) || !make(&larger, arena, GROWTH * t->size))
        return;
    __atomic_store_n(&t->growing, 1, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < HD_MAX_JOBS; i++)
        while (__atomic_load_n(&t->workers[i].inside, __ATOMIC_SEQ_CST))
            wait_a_little(&turns);
    move_all(&larger, t);
    hd_arena_give_back(t->groups, bytes(t->size) - 64);
    __atomic_store_n(&t->groups, larger.groups, __ATOMIC_RELAXED);
    __atomic_store_n(&t->size, larger.size, __ATOMIC_RELAXED);
    __atomic_store_n(&t->growing, 0, __ATOMIC_SEQ_CST);
}

static uint64_t count(const struct hd_state_table *t)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->size; i++)
        n += slot_at(t, i)->lo != 0;
    return n;
}

static void read_state(struct hd_state_table *t, struct hd_arena *arena, struct hd_pack *p)
{
    struct hd_state_slot key = { 0, 0 };
    struct hd_state_tag tag = { 0, 0 };
    hd_pack_bytes(p, &key, sizeof key);
    hd_pack_u32(p, &tag.rank, UINT32_MAX);
    hd_pack_u32(p, &tag.number, UINT32_MAX);
    hd_pack_want(p, key.lo && key.hi && tag.rank && tag.number < t->numbers);
    if (p->bad)
        return;
    if (hd_state_table_is_filled(t))
        hd_state_table_grow(t, arena);
    hd_pack_want(p, claim(t, &key, &tag) == HD_CLAIM_OURS);
    t->n++;
}

/* States are written by their place.  In a smaller table those of several places would come
 * to the same ones, one after the other, and leave no room there: it is large at once. */
static bool make_for(struct hd_state_table *t, struct hd_arena *arena, uint64_t n)
{
    uint64_t size = t->size;
    while (size / 4 * 3 <= n)
        size *= 2;
    return size == t->size || make(t, arena, size);
}

void hd_state_table_pack(struct hd_state_table *t, struct hd_arena *arena, struct hd_pack *p)
{
    uint64_t n = p->reading ? 0 : count(t);
    hd_pack_u32(p, &t->numbers, UINT32_MAX);
    hd_pack_count64(p, &n, UINT64_MAX);
    if (p->reading)
        hd_pack_want(p, make_for(t, arena, n));
    for (uint64_t i = 0; p->reading && i < n && !p->bad; i++)
        read_state(t, arena, p);
    for (uint64_t i = 0; !p->reading && i < t->size && !p->bad; i++)
        if (slot_at(t, i)->lo) {
            hd_pack_bytes(p, slot_at(t, i), sizeof(struct hd_state_slot));
            hd_pack_u32(p, &tag_at(t, i)->rank, UINT32_MAX);
            hd_pack_u32(p, &tag_at(t, i)->number, UINT32_MAX);
        }
}
