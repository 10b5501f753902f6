#include "explore/print_set.h"

#include <string.h>

#define WAYS 4u
#define FIRST 64u /* buckets to begin with */
#define MOST                                                                                     \
    (1ull << 26)          /* buckets when no limit is given: 4 GiB of address space, touched as
                              it is needed */
#define LONGEST_CHAIN 64u /* prints sent on before the table is taken to be full */

static bool is_none(const struct hd_print *p) { return !(p->lo | p->hi); }

static bool same(const struct hd_print *a, const struct hd_print *b)
{
    return a->lo == b->lo && a->hi == b->hi;
}

/* No print may look like an empty slot. */
static struct hd_print proper(struct hd_print p)
{
    if (is_none(&p))
        p.lo = 1;
    return p;
}

static uint64_t first_bucket(const struct hd_print_set *set, const struct hd_print *p)
{
    return p->lo & (set->buckets - 1);
}

static uint64_t second_bucket(const struct hd_print_set *set, const struct hd_print *p)
{
    return p->hi & (set->buckets - 1);
}

bool hd_print_set_init(struct hd_print_set *set, struct hd_arena *arena, uint64_t limit)
{
    memset(set, 0, sizeof *set);
    set->most = MOST;
    if (limit) {
        set->most = 1;
        while (set->most * 2 * WAYS <= limit)
            set->most *= 2;
    }
    uint64_t bytes = set->most * WAYS * sizeof *set->slots;
    while (!(set->slots = hd_arena_take(arena, bytes)) && set->most > FIRST) {
        set->most /= 2;
        bytes /= 2;
    }
    set->buckets = set->most < FIRST ? set->most : FIRST;
    return set->slots != NULL;
}

/* The slot in the bucket that holds the print, or else a free one; NULL: neither. */
static struct hd_print *slot(const struct hd_print_set *set, uint64_t bucket,
                             const struct hd_print *p)
{
    struct hd_print *s = set->slots + bucket * WAYS;
    for (uint32_t i = 0; i < WAYS; i++)
        if (is_none(&s[i]) || same(&s[i], p))
            return &s[i];
    return NULL;
}

bool hd_print_set_has(const struct hd_print_set *set, struct hd_print print)
{
    print = proper(print);
    const struct hd_print *a = slot(set, first_bucket(set, &print), &print);
    if (a && !is_none(a))
        return true;
    const struct hd_print *b = slot(set, second_bucket(set, &print), &print);
    return b && !is_none(b);
}

/* Bring a bucket's prints together at its front: a free slot ends the search for one. */
static void close_gaps(struct hd_print *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < WAYS; i++)
        if (!is_none(&s[i])) {
            struct hd_print p = s[i];
            s[i] = (struct hd_print){ 0, 0 };
            s[n++] = p;
        }
}

static void split(struct hd_print_set *set)
{
    uint64_t old = set->buckets;
    set->buckets *= 2;
    for (uint64_t b = 0; b < old; b++) {
        struct hd_print *here = set->slots + b * WAYS, *there = here + old * WAYS;
        uint32_t n = 0;
        for (uint32_t i = 0; i < WAYS; i++) {
            bool by_first = (here[i].lo & (old - 1)) == b;
            uint64_t key = by_first ? here[i].lo : here[i].hi;
            if (is_none(&here[i]) || !(key & old))
                continue;
            there[n++] = here[i];
            here[i] = (struct hd_print){ 0, 0 };
        }
        close_gaps(here);
    }
}

/* Put it somewhere, sending others to their second places.  Returns the one that is left over in
 * the end, none when all have a place. */
static struct hd_print place(struct hd_print_set *set, struct hd_print p)
{
    uint64_t bucket = first_bucket(set, &p);
    for (uint32_t i = 0; i < LONGEST_CHAIN; i++) {
        struct hd_print *free = slot(set, bucket, &p);
        if (free) {
            *free = p;
            return (struct hd_print){ 0, 0 };
        }
        uint64_t other = first_bucket(set, &p) ^ second_bucket(set, &p) ^ bucket;
        free = slot(set, other, &p);
        if (free) {
            *free = p;
            return (struct hd_print){ 0, 0 };
        }
        struct hd_print *victim = &set->slots[other * WAYS + set->kick++ % WAYS];
        struct hd_print sent = *victim;
        *victim = p;
        p = sent;
        bucket = other;
    }
    return p;
}

bool hd_print_set_add(struct hd_print_set *set, struct hd_print print)
{
    print = proper(print);
    __builtin_prefetch(set->slots + second_bucket(set, &print) * WAYS);
    struct hd_print *a = slot(set, first_bucket(set, &print), &print);
    if (a && !is_none(a))
        return false;
    struct hd_print *b = slot(set, second_bucket(set, &print), &print);
    if (b && !is_none(b))
        return false;
    if (set->n * 10 >= set->buckets * WAYS * 9 && set->buckets < set->most)
        split(set);
    set->n++;
    struct hd_print left = place(set, print);
    while (!is_none(&left)) {
        if (set->buckets == set->most) {
            set->n--;
            set->forgotten++;
            break;
        }
        split(set);
        left = place(set, left);
    }
    return true;
}
