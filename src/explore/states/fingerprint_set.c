#include "explore/states/fingerprint_set.h"

#include "core/pack.h"

#include <string.h>

#define WAYS 4u
#define FIRST 64u                /* buckets to begin with */
#define SMALL (1ull << 21)       /* buckets, 128 MiB: no table of this kind is larger */
#define FIRST_LARGE (7ull << 17) /* 112 MiB, of which a small table fills nine tenths */
#define MOST_LARGE (1ull << 25)  /* 4 GiB of address space, touched as it is needed */
#define LONGEST_CHAIN 64u        /* fingerprints moved before the table counts as full */

static bool is_none(const struct hd_fingerprint *p) { return !(p->lo | p->hi); }

static bool same(const struct hd_fingerprint *a, const struct hd_fingerprint *b)
{
    return a->lo == b->lo && a->hi == b->hi;
}

/* No fingerprint may look like an empty slot. */
static struct hd_fingerprint proper(struct hd_fingerprint p)
{
    if (is_none(&p))
        p.lo = 1;
    return p;
}

/* The bucket of a key: its lowest bits, one more of them where buckets have been split. */
static uint64_t bucket_of(const struct hd_fingerprint_set *set, uint64_t key)
{
    uint64_t b = key & (2 * set->half - 1);
    return b < set->buckets ? b : b - set->half;
}

static uint64_t first_bucket(const struct hd_fingerprint_set *set, const struct hd_fingerprint *p)
{
    return bucket_of(set, p->lo);
}

static uint64_t second_bucket(const struct hd_fingerprint_set *set,
                              const struct hd_fingerprint *p)
{
    return bucket_of(set, p->hi);
}

uint64_t hd_fingerprint_set_fit(uint64_t bytes)
{
    uint64_t slots = bytes / sizeof(struct hd_fingerprint);
    return slots <= SMALL * WAYS ? slots
                                 : bytes / sizeof(struct hd_quotient_bucket) * HD_QUOTIENT_WAYS;
}

static bool make_large(struct hd_fingerprint_set *set, struct hd_arena *arena, uint64_t most)
{
    while (!hd_quotient_set_init(&set->large, arena, FIRST_LARGE, most) && most > FIRST_LARGE)
        most = most / 2 < FIRST_LARGE ? FIRST_LARGE : most / 2;
    return set->large.table != NULL;
}

/* A limit that only the large table reaches is its own from the beginning: two tables at a time
 * would take more. */
bool hd_fingerprint_set_init(struct hd_fingerprint_set *set, struct hd_arena *arena,
                             uint64_t limit)
{
    memset(set, 0, sizeof *set);
    if (limit > SMALL * WAYS)
        return make_large(set, arena, limit / HD_QUOTIENT_WAYS);
    set->most = limit ? limit / WAYS + (limit < WAYS) : SMALL;
    while (!(set->slots = hd_arena_take(arena, set->most * WAYS * sizeof *set->slots)) &&
           set->most > FIRST)
        set->most /= 2;
    set->buckets = set->most < FIRST ? set->most : FIRST;
    set->half = 1;
    while (2 * set->half <= set->buckets)
        set->half *= 2;
    if (!limit)
        make_large(set, arena, MOST_LARGE);
    return set->slots != NULL;
}

uint64_t hd_fingerprint_set_n(const struct hd_fingerprint_set *set)
{
    return set->n + set->large.n;
}

uint64_t hd_fingerprint_set_forgotten(const struct hd_fingerprint_set *set)
{
    return set->forgotten + set->large.forgotten;
}

/* The slot in the bucket that holds the fingerprint, or else a free one; NULL if there is
 * neither. */
static struct hd_fingerprint *slot(const struct hd_fingerprint_set *set, uint64_t bucket,
                                   const struct hd_fingerprint *p)
{
    struct hd_fingerprint *s = set->slots + bucket * WAYS;
    for (uint32_t i = 0; i < WAYS; i++)
        if (is_none(&s[i]) || same(&s[i], p))
            return &s[i];
    return NULL;
}

bool hd_fingerprint_set_has(const struct hd_fingerprint_set *set, struct hd_fingerprint print)
{
    print = proper(print);
    if (!set->buckets)
        return hd_quotient_set_has(&set->large, print);
    const struct hd_fingerprint *a = slot(set, first_bucket(set, &print), &print);
    if (a && !is_none(a))
        return true;
    const struct hd_fingerprint *b = slot(set, second_bucket(set, &print), &print);
    return b && !is_none(b);
}

/* Move a bucket's fingerprints to its front: a free slot ends a lookup. */
static void close_gaps(struct hd_fingerprint *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < WAYS; i++)
        if (!is_none(&s[i])) {
            struct hd_fingerprint p = s[i];
            s[i] = (struct hd_fingerprint){ 0, 0 };
            s[n++] = p;
        }
}

/* Add a bucket: some of the fingerprints of another move there. */
static void split(struct hd_fingerprint_set *set)
{
    uint64_t old = set->buckets - set->half, made = set->buckets;
    struct hd_fingerprint *here = set->slots + old * WAYS, *there = set->slots + made * WAYS;
    uint32_t n = 0;
    bool by_first[WAYS];
    for (uint32_t i = 0; i < WAYS; i++)
        by_first[i] = first_bucket(set, &here[i]) == old;
    set->buckets++;
    for (uint32_t i = 0; i < WAYS; i++) {
        uint64_t key = by_first[i] ? here[i].lo : here[i].hi;
        if (is_none(&here[i]) || bucket_of(set, key) != made)
            continue;
        there[n++] = here[i];
        here[i] = (struct hd_fingerprint){ 0, 0 };
    }
    if (n)
        close_gaps(here);
    if (set->buckets == 2 * set->half)
        set->half *= 2;
}

static void grow(struct hd_fingerprint_set *set)
{
    uint64_t to = 2 * set->buckets;
    while (set->buckets < to && set->buckets < set->most)
        split(set);
}

/* Move everything into the large table. */
static void move(struct hd_fingerprint_set *set)
{
    for (uint64_t i = 0; i < set->buckets * WAYS; i++)
        if (!is_none(&set->slots[i]))
            hd_quotient_set_add(&set->large, set->slots[i]);
    hd_arena_give_back(set->slots, set->buckets * WAYS * sizeof *set->slots);
    set->buckets = set->n = 0;
}

/* Store it, moving others to their second buckets.  Returns the fingerprint that is left over
 * in the end, none if all have a place. */
static struct hd_fingerprint place(struct hd_fingerprint_set *set, struct hd_fingerprint p)
{
    uint64_t bucket = first_bucket(set, &p);
    for (uint32_t i = 0; i < LONGEST_CHAIN; i++) {
        struct hd_fingerprint *free = slot(set, bucket, &p);
        if (free) {
            *free = p;
            return (struct hd_fingerprint){ 0, 0 };
        }
        uint64_t other = first_bucket(set, &p) ^ second_bucket(set, &p) ^ bucket;
        free = slot(set, other, &p);
        if (free) {
            *free = p;
            return (struct hd_fingerprint){ 0, 0 };
        }
        struct hd_fingerprint *victim = &set->slots[other * WAYS + set->kick++ % WAYS];
        struct hd_fingerprint sent = *victim;
        *victim = p;
        p = sent;
        bucket = other;
    }
    return p;
}

/* Make room when nine tenths are filled.  False: everything has moved to the large table. */
static bool make_room(struct hd_fingerprint_set *set)
{
    if (set->n * 10 < set->buckets * WAYS * 9)
        return true;
    if (set->buckets < set->most)
        grow(set);
    else if (set->large.table)
        move(set);
    return set->buckets;
}

void hd_fingerprint_set_prefetch(const struct hd_fingerprint_set *set,
                                 struct hd_fingerprint print)
{
    _Static_assert(HD_FINGERPRINT_BUCKET == WAYS * sizeof *set->slots, "a cache line");
    if (!set->buckets)
        return;
    __builtin_prefetch(set->slots + first_bucket(set, &print) * WAYS);
    __builtin_prefetch(set->slots + second_bucket(set, &print) * WAYS);
}

bool hd_fingerprint_set_add(struct hd_fingerprint_set *set, struct hd_fingerprint print)
{
    print = proper(print);
    if (!set->buckets)
        return hd_quotient_set_add(&set->large, print);
    __builtin_prefetch(set->slots + second_bucket(set, &print) * WAYS);
    struct hd_fingerprint *a = slot(set, first_bucket(set, &print), &print);
    if (a && !is_none(a))
        return false;
    struct hd_fingerprint *b = slot(set, second_bucket(set, &print), &print);
    if (b && !is_none(b))
        return false;
    if (!make_room(set))
        return hd_quotient_set_add(&set->large, print);
    set->n++;
    struct hd_fingerprint left = place(set, print);
    while (!is_none(&left) && set->buckets < set->most) {
        grow(set);
        left = place(set, left);
    }
    if (is_none(&left))
        return true;
    set->n--;
    if (!set->large.table) {
        set->forgotten++;
        return true;
    }
    move(set);
    hd_quotient_set_add(&set->large, left);
    return true;
}

/* The fingerprints of a bucket are at its front. */
static void pack_bucket(struct hd_fingerprint *s, struct hd_pack *p, uint64_t *sum)
{
    uint32_t n = 0;
    while (!p->reading && n < WAYS && !is_none(&s[n]))
        n++;
    hd_pack_u32(p, &n, WAYS);
    for (uint32_t i = 0; i < n; i++) {
        hd_pack_bytes(p, &s[i], sizeof s[i]);
        hd_pack_want(p, !is_none(&s[i]));
    }
    *sum += n;
}

void hd_fingerprint_set_pack(struct hd_fingerprint_set *set, struct hd_pack *p)
{
    uint64_t n = 0;
    bool moved = !set->buckets;
    hd_pack_bool(p, &moved);
    hd_pack_want(p, !moved || set->large.table);
    if (p->bad)
        return;
    if (moved) {
        set->buckets = set->n = 0;
        hd_quotient_set_pack(&set->large, p);
        return;
    }
    hd_pack_count64(p, &set->buckets, set->most);
    hd_pack_u64(p, &set->forgotten);
    hd_pack_u64(p, &set->kick);
    hd_pack_want(p, set->buckets != 0);
    set->half = 1;
    while (2 * set->half <= set->buckets)
        set->half *= 2;
    for (uint64_t i = 0; i < set->buckets && !p->bad; i++)
        pack_bucket(set->slots + i * WAYS, p, &n);
    set->n = n;
}
