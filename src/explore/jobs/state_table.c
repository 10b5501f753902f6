#include "explore/jobs/state_table.h"

#include "core/futex.h"
#include "core/pack.h"

#include <linux/futex.h>
#include <string.h>

#define FIRST (1u << 15) /* groups */
#define MOVED 2048ull    /* groups whose states are moved at once */
#define BATCH 16u        /* a worker counts so many of its states at once */
#define NUMBERS 256u     /* and takes so many numbers */
#define SPINS 256u
#define SLEEP_NS 50000l
#define RANK 0xffffull /* the bits of a slot's `hi` that hold the rank */

struct hd_moved_state {
    struct hd_state_slot slot;
    uint32_t number;
};

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

/* The numbers are behind the groups, where they are touched only if they are used. */
bool hd_state_table_init(struct hd_state_table *t, struct hd_arena *arena, bool numbered)
{
    uint64_t group = sizeof(struct hd_state_group);
    uint64_t numbers = HD_STATE_GROUP * sizeof *t->number_of;
    t->numbered = numbered;
    t->n_groups = t->first ? t->first : FIRST;
    t->moved = hd_arena_take(arena, 2 * MOVED * sizeof *t->moved * HD_STATE_GROUP);
    if (!t->moved)
        return false;
    t->most = (arena->size - arena->used) / 4 * 3 / (group + numbers);
    char *groups = hd_arena_take(arena, (t->most + 1) * group);
    t->groups = (void *)(((uintptr_t)groups + group - 1) & ~(uintptr_t)(group - 1));
    t->number_of = hd_arena_take(arena, t->most * numbers);
    return groups && t->number_of && t->n_groups <= t->most;
}

/* What a slot has of a key: `lo` does not look like that of a free one, and the rank, which is
 * not 0, is still to be added to `hi`. */
static struct hd_state_slot proper(const uint64_t key[2])
{
    return (struct hd_state_slot){ key[0] ? key[0] : 1, key[1] & ~RANK };
}

bool hd_state_table_same(const uint64_t a[2], const uint64_t b[2])
{
    struct hd_state_slot x = proper(a), y = proper(b);
    return x.lo == y.lo && x.hi == y.hi;
}

/* The group, of n, of the key with that `lo`. */
static uint64_t group_of(uint64_t lo, uint64_t n)
{
    uint64_t hash = lo * 0x9e3779b97f4a7c15ull;
    return (uint64_t)((unsigned __int128)hash * n >> 64);
}

/* The slot has our `lo`: its other half. (B2) */
static uint64_t other_half(const struct hd_state_slot *slot)
{
    uint64_t there;
    uint32_t turns = 0;
    while (!(there = load(&slot->hi)))
        wait_a_little(&turns);
    return there;
}

/* Take slot `at` if it is free. */
static enum hd_claim try_slot(struct hd_state_table *t, uint64_t at,
                              const struct hd_state_slot *key, struct hd_state_tag *tag)
{
    struct hd_state_slot *slot = &t->groups[at / HD_STATE_GROUP].slots[at % HD_STATE_GROUP];
    uint64_t lo = load(&slot->lo);
    if (!lo && __atomic_compare_exchange_n(&slot->lo, &lo, key->lo, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE)) {
        uint64_t rank = tag->rank < HD_STATE_DEEP ? tag->rank : HD_STATE_DEEP;
        if (t->numbered)
            t->number_of[at] = tag->number;
        __atomic_store_n(&slot->hi, key->hi | rank, __ATOMIC_RELEASE);
        return HD_CLAIM_OURS;
    }
    if (lo != key->lo)
        return HD_CLAIM_FULL;
    uint64_t hi = other_half(slot);
    if ((hi ^ key->hi) & ~RANK)
        return HD_CLAIM_FULL;
    tag->rank = (uint32_t)(hi & RANK);
    tag->number = t->numbered ? t->number_of[at] : 0;
    return HD_CLAIM_KNOWN;
}

static enum hd_claim claim(struct hd_state_table *t, const struct hd_state_slot *key,
                           struct hd_state_tag *tag)
{
    uint64_t at = group_of(key->lo, t->n_groups);
    for (uint32_t i = 0; i < HD_STATE_FAR && i < t->n_groups; i++) {
        for (uint32_t k = 0; k < HD_STATE_GROUP; k++) {
            enum hd_claim found = try_slot(t, at * HD_STATE_GROUP + k, key, tag);
            if (found != HD_CLAIM_FULL)
                return found;
        }
        at = at + 1 < t->n_groups ? at + 1 : 0;
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
    if (!t->numbered)
        return 0;
    if (!t->workers[worker].n_next) {
        t->workers[worker].next = __atomic_fetch_add(&t->numbers, NUMBERS, __ATOMIC_RELAXED);
        t->workers[worker].n_next = NUMBERS;
    }
    return t->workers[worker].next;
}

/* If the table grows meanwhile, nothing is lost. */
void hd_state_table_prefetch(const struct hd_state_table *t, const uint64_t key[2])
{
    uint64_t n = __atomic_load_n(&t->n_groups, __ATOMIC_RELAXED);
    __builtin_prefetch(&t->groups[group_of(key[0], n)], 1);
}

enum hd_claim hd_state_table_claim(struct hd_state_table *t, uint32_t worker,
                                   const uint64_t key[2], struct hd_state_tag *tag)
{
    struct hd_state_slot proper_key = proper(key);
    tag->number = next_number(t, worker);
    enter(t, worker);
    enum hd_claim found = claim(t, &proper_key, tag);
    __atomic_store_n(&t->workers[worker].inside, 0, __ATOMIC_RELEASE);
    if (found != HD_CLAIM_OURS)
        return found;
    if (t->numbered) {
        t->workers[worker].next++;
        t->workers[worker].n_next--;
    }
    if (++t->workers[worker].added == BATCH) {
        __atomic_fetch_add(&t->n, BATCH, __ATOMIC_RELAXED);
        t->workers[worker].added = 0;
    }
    return found;
}

/* So many states are enough for n groups. */
static uint64_t enough(uint64_t n) { return n * HD_STATE_GROUP * 4 / 5; }

/* The number of groups of the next larger table. */
static uint64_t larger(uint64_t n) { return n + n / 2 + 1; }

bool hd_state_table_is_filled(const struct hd_state_table *t)
{
    uint64_t n = __atomic_load_n(&t->n_groups, __ATOMIC_RELAXED);
    return __atomic_load_n(&t->n, __ATOMIC_RELAXED) >= enough(n) && larger(n) <= t->most;
}

static struct hd_moved_state take_out(const struct hd_state_table *t, uint64_t group, uint32_t k)
{
    uint32_t number = t->numbered ? t->number_of[group * HD_STATE_GROUP + k] : 0;
    return (struct hd_moved_state){ t->groups[group].slots[k], number };
}

static struct hd_state_tag tag_of(const struct hd_moved_state *s)
{
    return (struct hd_state_tag){ s->number, (uint32_t)(s->slot.hi & RANK) };
}

/* Take the states out of the groups from `begin` to `end`, and put them where they belong. */
static void move(struct hd_state_table *t, uint64_t begin, uint64_t end)
{
    uint64_t n = 0;
    for (uint64_t i = begin; i < end; i++) {
        struct hd_state_group *group = &t->groups[i];
        for (uint32_t k = 0; k < HD_STATE_GROUP; k++)
            if (group->slots[k].lo)
                t->moved[n++] = take_out(t, i, k);
        memset(group, 0, sizeof *group);
    }
    while (n--) {
        struct hd_state_tag tag = tag_of(&t->moved[n]);
        t->moved[n].slot.hi &= ~RANK;
        claim(t, &t->moved[n].slot, &tag);
    }
}

/* The last groups are moved first.  A state in group i is less than HD_STATE_FAR behind its
 * own, so its new one is 3/2 (i - HD_STATE_FAR) at least.  From i = 3 HD_STATE_FAR on that is
 * not below i: no group is filled whose states are still to be moved.  The first groups are
 * emptied together, with what came there from the end. */
static void move_all(struct hd_state_table *t, uint64_t n)
{
    _Static_assert(MOVED >= 3ull * HD_STATE_FAR, "states would come to groups not yet moved");
    for (uint64_t end = n, begin; end; end = begin) {
        begin = end >= 2 * MOVED ? end - MOVED : 0;
        move(t, begin, end);
    }
}

void hd_state_table_grow(struct hd_state_table *t)
{
    uint32_t turns = 0;
    uint64_t n = t->n_groups;
    if (!hd_state_table_is_filled(t))
        return;
    __atomic_store_n(&t->growing, 1, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < HD_MAX_JOBS; i++)
        while (__atomic_load_n(&t->workers[i].inside, __ATOMIC_SEQ_CST))
            wait_a_little(&turns);
    __atomic_store_n(&t->n_groups, larger(n), __ATOMIC_RELAXED);
    move_all(t, n);
    __atomic_store_n(&t->growing, 0, __ATOMIC_SEQ_CST);
}

static uint64_t count(const struct hd_state_table *t)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->n_groups; i++)
        for (uint32_t k = 0; k < HD_STATE_GROUP; k++)
            n += t->groups[i].slots[k].lo != 0;
    return n;
}

static void pack_state(const struct hd_state_table *t, struct hd_moved_state *s,
                       struct hd_pack *p)
{
    hd_pack_bytes(p, &s->slot, sizeof s->slot);
    if (t->numbered)
        hd_pack_u32(p, &s->number, UINT32_MAX);
}

static void read_state(struct hd_state_table *t, struct hd_pack *p)
{
    struct hd_moved_state s = { { 0, 0 }, 0 };
    pack_state(t, &s, p);
    struct hd_state_tag tag = tag_of(&s);
    s.slot.hi &= ~RANK;
    hd_pack_want(p, s.slot.lo && tag.rank && (!t->numbered || tag.number < t->numbers));
    if (p->bad)
        return;
    hd_pack_want(p, claim(t, &s.slot, &tag) == HD_CLAIM_OURS);
    t->n++;
}

/* Make an empty table large enough for n states. */
static bool make_for(struct hd_state_table *t, uint64_t n)
{
    while (enough(t->n_groups) <= n && larger(t->n_groups) <= t->most)
        t->n_groups = larger(t->n_groups);
    return t->n_groups * HD_STATE_GROUP > n;
}

void hd_state_table_pack(struct hd_state_table *t, struct hd_pack *p)
{
    uint64_t n = p->reading ? 0 : count(t);
    hd_pack_u32(p, &t->numbered, 1);
    hd_pack_u32(p, &t->numbers, UINT32_MAX);
    hd_pack_count64(p, &n, UINT64_MAX);
    if (p->reading)
        hd_pack_want(p, make_for(t, n));
    for (uint64_t i = 0; p->reading && i < n && !p->bad; i++)
        read_state(t, p);
    for (uint64_t i = 0; !p->reading && i < t->n_groups && !p->bad; i++)
        for (uint32_t k = 0; k < HD_STATE_GROUP; k++)
            if (t->groups[i].slots[k].lo) {
                struct hd_moved_state s = take_out(t, i, k);
                pack_state(t, &s, p);
            }
}
