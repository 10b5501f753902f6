#include "explore/states/quotient_set.h"

#include "core/pack.h"

#include <string.h>

#define WAYS HD_QUOTIENT_WAYS
#define LOW 0xffffull /* the bits of a half that its bucket tells */
#define FILLED 90u    /* percent */
#define COUNT 15u     /* the part of `about` that counts */
#define SECOND(i) (16u << (i))
#define LONGEST_CHAIN 64u /* fingerprints moved before the table counts as full */

_Static_assert(sizeof(struct hd_quotient_bucket) == 128, "two cache lines");
_Static_assert(HD_QUOTIENT_LEAST > LOW, "a bucket tells these bits");

/* A fingerprint as it is seen from one of its buckets. */
struct view {
    uint64_t key;  /* the half that chooses the bucket */
    uint64_t rest; /* the other half */
    bool second;
};

static struct view other_view(struct view v)
{
    return (struct view){ .key = v.rest, .rest = v.key, .second = !v.second };
}

static struct view first_view(struct hd_fingerprint p)
{
    return (struct view){ .key = p.lo, .rest = p.hi, .second = false };
}

static uint64_t bucket_of(const struct hd_quotient_set *set, uint64_t key)
{
    uint64_t b = key & (2 * set->half - 1);
    return b < set->buckets ? b : b - set->half;
}

bool hd_quotient_set_init(struct hd_quotient_set *set, struct hd_arena *arena, uint64_t first,
                          uint64_t most)
{
    memset(set, 0, sizeof *set);
    set->most = most;
    set->buckets = first < most ? first : most;
    set->half = HD_QUOTIENT_LEAST;
    while (2 * set->half <= set->buckets)
        set->half *= 2;
    if (set->buckets >= HD_QUOTIENT_LEAST)
        set->table = hd_arena_take(arena, most * sizeof *set->table);
    return set->table != NULL;
}

static struct view read_print(const struct hd_quotient_set *set, uint64_t bucket, uint32_t i)
{
    const struct hd_quotient_bucket *b = &set->table[bucket];
    struct view v = { .second = b->about & SECOND(i) };
    memcpy(&v.rest, b->prints[i], 8);
    memcpy(&v.key, b->prints[i] + 6, 8);
    v.key = (v.key & ~LOW) | (bucket & LOW);
    return v;
}

/* The highest 48 bits of the key follow the rest; in memory the lowest byte comes first. */
static void write_print(struct hd_quotient_bucket *b, uint32_t i, struct view v)
{
    memcpy(b->prints[i] + 6, &v.key, 8);
    memcpy(b->prints[i], &v.rest, 8);
    b->about = (uint16_t)((b->about & ~SECOND(i)) | (v.second ? SECOND(i) : 0));
}

static bool holds(const struct hd_quotient_bucket *b, struct view v)
{
    uint32_t n = b->about & COUNT;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t rest, key;
        memcpy(&rest, b->prints[i], 8);
        if (rest != v.rest)
            continue;
        memcpy(&key, b->prints[i] + 6, 8);
        if (!((key ^ v.key) & ~LOW) && !(b->about & SECOND(i)) == !v.second)
            return true;
    }
    return false;
}

bool hd_quotient_set_has(const struct hd_quotient_set *set, struct hd_fingerprint print)
{
    struct view v = first_view(print), w = other_view(v);
    return holds(&set->table[bucket_of(set, v.key)], v) ||
           holds(&set->table[bucket_of(set, w.key)], w);
}

static bool append(struct hd_quotient_bucket *b, struct view v)
{
    uint32_t n = b->about & COUNT;
    if (n == WAYS)
        return false;
    b->about++;
    write_print(b, n, v);
    return true;
}

/* Store it, moving others to their other buckets.  False: *v is left over in the end. */
static bool place(struct hd_quotient_set *set, struct view *v, uint32_t most)
{
    struct view w = other_view(*v);
    const struct hd_quotient_bucket *here = &set->table[bucket_of(set, v->key)];
    const struct hd_quotient_bucket *there = &set->table[bucket_of(set, w.key)];
    if ((there->about & COUNT) < (here->about & COUNT))
        *v = w;
    for (uint32_t i = 0; i < most; i++) {
        uint64_t bucket = bucket_of(set, v->key);
        if (append(&set->table[bucket], *v))
            return true;
        uint32_t victim = (uint32_t)(set->kick++ % WAYS);
        struct view sent = read_print(set, bucket, victim);
        write_print(&set->table[bucket], victim, *v);
        *v = other_view(sent);
    }
    return false;
}

/* One bucket more: a part of those in another one belong there.  False: it cannot grow. */
static bool grow(struct hd_quotient_set *set)
{
    if (set->buckets == set->most)
        return false;
    uint64_t from = set->buckets - set->half, to = set->buckets++;
    uint32_t n = set->table[from].about & COUNT;
    struct view views[WAYS];
    for (uint32_t i = 0; i < n; i++)
        views[i] = read_print(set, from, i);
    set->table[from].about = 0;
    for (uint32_t i = 0; i < n; i++)
        append(&set->table[bucket_of(set, views[i].key) == to ? to : from], views[i]);
    if (set->buckets == 2 * set->half)
        set->half *= 2;
    return true;
}

static void fetch(const struct hd_quotient_bucket *b)
{
    __builtin_prefetch(b);
    __builtin_prefetch((const char *)b + 64);
}

bool hd_quotient_set_add(struct hd_quotient_set *set, struct hd_fingerprint print)
{
    struct view v = first_view(print), w = other_view(v);
    uint64_t first = bucket_of(set, v.key), second = bucket_of(set, w.key);
    fetch(&set->table[first]);
    fetch(&set->table[second]);
    if (holds(&set->table[first], v) || holds(&set->table[second], w))
        return false;
    if (set->n * 100 >= set->buckets * WAYS * FILLED)
        grow(set);
    set->n++;
    while (!place(set, &v, LONGEST_CHAIN))
        if (!grow(set)) {
            set->n--;
            set->forgotten++;
            break;
        }
    return true;
}

static void pack_bucket(struct hd_quotient_set *set, struct hd_pack *p, uint64_t i)
{
    struct hd_quotient_bucket *b = &set->table[i];
    uint32_t about = b->about;
    hd_pack_u32(p, &about, SECOND(WAYS) - 1);
    hd_pack_want(p, (about & COUNT) <= WAYS);
    if (p->bad)
        return;
    b->about = (uint16_t)about;
    hd_pack_bytes(p, b->prints, (about & COUNT) * sizeof b->prints[0]);
    set->n += about & COUNT;
}

void hd_quotient_set_pack(struct hd_quotient_set *set, struct hd_pack *p)
{
    hd_pack_count64(p, &set->buckets, set->most);
    hd_pack_u64(p, &set->forgotten);
    hd_pack_u64(p, &set->kick);
    hd_pack_want(p, set->buckets >= HD_QUOTIENT_LEAST);
    set->half = HD_QUOTIENT_LEAST;
    while (!p->bad && 2 * set->half <= set->buckets)
        set->half *= 2;
    set->n = 0;
    for (uint64_t i = 0; i < set->buckets && !p->bad; i++)
        pack_bucket(set, p, i);
}
