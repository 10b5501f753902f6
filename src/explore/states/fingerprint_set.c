#include "explore/states/fingerprint_set.h"

#include "core/pack.h"

#include <string.h>

#define WAYS 4u
#define FIRST 64u /* buckets to begin with */
#define MOST                                                                                     \
    (1ull << 26)           /* buckets when no limit is given: 4 GiB of address space, touched as
                              it is needed */
#define LARGE (1ull << 24) /* buckets, 1 GiB: larger tables grow by single buckets */
#define LONGEST_CHAIN 64u  /* fingerprints moved before the table counts as full */

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

bool hd_fingerprint_set_init(struct hd_fingerprint_set *set, struct hd_arena *arena,
                             uint64_t limit)
{
    memset(set, 0, sizeof *set);
    set->most = limit ? limit / WAYS + (limit < WAYS) : MOST;
    while (!(set->slots = hd_arena_take(arena, set->most * WAYS * sizeof *set->slots)) &&
           set->most > FIRST)
        set->most /= 2;
    set->buckets = set->most < FIRST ? set->most : FIRST;
    set->large = LARGE;
    set->half = 1;
    while (2 * set->half <= set->buckets)
        set->half *= 2;
    return set->slots != NULL;
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

/* A table that grows by single buckets is filled unevenly, so fingerprints are moved more
 * often; only tables whose size matters grow so. */
static bool is_full(const struct hd_fingerprint_set *set)
{
    uint64_t percent = set->buckets < set->large ? 90 : 85;
    return set->n * 100 >= set->buckets * WAYS * percent && set->buckets < set->most;
}

static void grow(struct hd_fingerprint_set *set)
{
    uint64_t to = set->buckets < set->large ? 2 * set->buckets : set->buckets + 1;
    while (set->buckets < to && set->buckets < set->most)
        split(set);
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

bool hd_fingerprint_set_add(struct hd_fingerprint_set *set, struct hd_fingerprint print)
{
    print = proper(print);
    __builtin_prefetch(set->slots + second_bucket(set, &print) * WAYS);
    struct hd_fingerprint *a = slot(set, first_bucket(set, &print), &print);
    if (a && !is_none(a))
        return false;
    struct hd_fingerprint *b = slot(set, second_bucket(set, &print), &print);
    if (b && !is_none(b))
        return false;
    if (is_full(set))
        grow(set);
    set->n++;
    struct hd_fingerprint left = place(set, print);
    while (!is_none(&left)) {
        if (set->buckets == set->most) {
            set->n--;
            set->forgotten++;
            break;
        }
        grow(set);
        left = place(set, left);
    }
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
