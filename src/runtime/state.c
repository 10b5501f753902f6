/* The state of the program as the explorer compares it: memory by what every step changes,
 * threads by what they have on their stacks.
 *
 * Memory is the xor of a hash of (address, value) over all words that were ever written since
 * the root, without their values at the root.  So the change by some steps follows from their
 * part of the undo log alone.
 *
 * Stacks and thread-local blocks are left out there: of those the live part is hashed as a
 * whole, since what a thread does to its own frames is not logged. */
#include "runtime/state.h"

#include "runtime/undo.h"

#include "base/hash.h"

#include <string.h>
#include <sys/mman.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FEW 64 /* words */

/* What a word with that value contributes.  It is never the same for another value or address:
 * hd_hash_mix maps one to one, and for two pairs with both sums equal the difference of the
 * addresses times that of the factors is 0, of which only the last bit is 0. */
static inline void toggle(uint64_t out[2], uint64_t at, uint64_t value)
{
    out[0] ^= hd_hash_mix(at * 0x9e3779b97f4a7c15ull + value);
    out[1] ^= hd_hash_mix(at * 0xd1b54a32d192ed03ull + value);
}

/* The thread-local blocks of all threads but the first are next to their stacks (tls.c). */
uint32_t hd_state_owner(uint64_t at)
{
    uint64_t thread = (at - HD_STACK_BASE) / HD_STACK_STRIDE;
    if (at >= HD_STACK_BASE && thread < rt->config.n_threads)
        return (uint32_t)thread;
    uint64_t next = at - (uint64_t)(uintptr_t)rt->next;
    if (next < sizeof rt->next)
        return (uint32_t)(next / sizeof rt->next[0]);
    uint64_t telling = at - (uint64_t)(uintptr_t)model->telling;
    if (telling < sizeof model->telling)
        return (uint32_t)(telling / sizeof model->telling[0]);
    uint64_t first = at - (rt->fibers[0].fs_base + (uint64_t)rt->tls_begin);
    return first < (uint64_t)(rt->tls_end - rt->tls_begin) ? 0 : ~0u;
}

/* Account for a changed word: it belongs to a thread, or to memory. */
static inline void count(uint64_t *at, uint64_t old, uint64_t now, uint64_t out[2],
                         struct hd_tset *threads)
{
    uint64_t addr = (uint64_t)(uintptr_t)at;
    uint32_t owner = hd_state_owner(addr);
    if (owner != ~0u) {
        hd_tset_add(threads, owner);
        return;
    }
    toggle(out, addr, old);
    toggle(out, addr, now);
}

static bool is_first(const struct hd_undo *begin, const struct hd_undo *e)
{
    for (const struct hd_undo *other = begin; other < e; other++)
        if (other->at == e->at)
            return false;
    return true;
}

/* The first entry of every word and its current value give the difference.  A word that has one
 * of 64 places for itself is found there when it comes again. */
static void count_few(struct hd_undo *begin, uint64_t out[2], struct hd_tset *threads)
{
    const struct hd_undo *top = rt->log_top;
    uint64_t seen = 0, *at[64]; /* of the places that have been seen */
    for (struct hd_undo *e = begin; e < top; e++) {
        uint64_t place = (uintptr_t)e->at >> 3 & 63, bit = 1ull << place;
        if (seen & bit) {
            if (at[place] == e->at || !is_first(begin, e))
                continue;
        } else {
            seen |= bit;
            at[place] = e->at;
        }
        if (*e->at != e->old)
            count(e->at, e->old, *e->at, out, threads);
    }
}

/* For long logs, where looking for earlier entries of each word takes too long: undo them one
 * by one, count the change at each, and redo them. */
static void count_many(struct hd_undo *begin, uint64_t out[2], struct hd_tset *threads)
{
    for (struct hd_undo *e = rt->log_top; e-- > begin;) {
        for (uint64_t i = 0, n = hd_undo_words(e); i < n; i++) {
            struct hd_undo word = hd_undo_word(e, i);
            if (*word.at != word.old)
                count(word.at, word.old, *word.at, out, threads);
        }
        hd_undo_swap(e);
    }
    for (struct hd_undo *e = begin; e < rt->log_top; e++)
        hd_undo_swap(e);
}

bool hd_state_change(void *self, uint32_t since, uint64_t out[2], struct hd_tset *threads)
{
    (void)self;
    const struct hd_mark *m = &rt->marks[since];
    out[0] = out[1] = 0;
    if (rt->opaque_since_root)
        for (uint32_t i = since; i < rt->depth; i++)
            if (rt->marks[i].opaque)
                return false;
    if (rt->log_top - m->log <= FEW && !hd_undo_has_range(m->log))
        count_few(m->log, out, threads);
    else
        count_many(m->log, out, threads);
    return true;
}

static inline XXH128_hash_t more(XXH128_hash_t h, const void *data, uint64_t bytes)
{
    XXH128_hash_t d = XXH3_128bits(data, bytes);
    return (XXH128_hash_t){ hd_hash_step(h.low64, d.low64), hd_hash_step(h.high64, d.high64) };
}

/* At a scheduling point a thread's registers are on its stack, in the frame of hd_point
 * (switch.S); below that there is nothing of it.  Dead parts of the slice above are included:
 * they depend on the thread's own steps only, so in a loop that reads nothing new they are the
 * same from the second or third iteration on.
 *
 * `block`: the thread-local block, or NULL if nothing was ever written to it. */
static void hash_local(uint32_t thread, const char *block, uint64_t out[2])
{
    const struct hd_fiber *f = &rt->fibers[thread];
    XXH128_hash_t h = XXH3_128bits((const void *)f->sp, f->top - f->sp);
    if (block)
        h = more(h, block, (uint64_t)(rt->tls_end - rt->tls_begin));
    if (rt->shared->options.filters & HD_FILTER_LOCAL_CYCLE)
        h = more(h, &model->heaps[thread], sizeof model->heaps[thread]);
    if (model->n_keys)
        h = more(h, model->values[thread], model->n_keys * sizeof(void *));
    struct {
        struct hd_action next;
        int32_t error_number;
        uint32_t thread;
    } rest = { rt->next[thread], *f->error_number, thread };
    h = more(h, &rest, sizeof rest);
    out[0] = h.low64;
    out[1] = h.high64;
}

/* Most threads never write to their thread-local block: finding that out is cheaper than
 * hashing it. */
static inline const char *written_block(const struct hd_fiber *f)
{
    uint64_t bytes = (uint64_t)(rt->tls_end - rt->tls_begin);
    const char *block = (const char *)f->fs_base + rt->tls_begin;
    bool written = f->fs_base && bytes &&
                   (!rt->tls_pristine ||
                    memcmp(block, (const void *)rt->tls_pristine, bytes) != 0);
    return written ? block : NULL;
}

/* A thread comes back to the same local state again and again.  The last ones are kept with
 * their hashes, each at a place that a cheaper hash of it says: comparing is faster than
 * computing the hash once more.  Where too few come back that ends. */
#define KNOWN_LOCALS 1024u
#define KNOWN_BYTES 960u

struct hd_known_local {
    struct hd_action next;
    uint64_t who;  /* the thread, and errno */
    uint64_t what; /* bytes of the slice, and of the thread-local block behind it, which is left
                      out if nothing was ever written there */
    uint64_t print[2];
    char kept[KNOWN_BYTES];
};

struct hd_known_locals {
    uint64_t found, missed;
    struct hd_known_local at[KNOWN_LOCALS] __attribute__((aligned(64)));
};

static inline struct hd_known_local *place_of(uint32_t thread, const char *slice, uint32_t bytes)
{
    typedef unsigned long long piece __attribute__((vector_size(16), may_alias));
    const piece *s = (const piece *)(const void *)slice, *end = s + bytes / 16;
    piece a = { thread, rt->next[thread].op }, b = { 0, 0 };
#pragma clang loop unroll(disable)
    for (; end - s >= 4; s += 4) {
        a = a + a + s[0];
        b = b + b + s[1];
        a ^= s[2];
        b ^= s[3];
    }
#pragma clang loop unroll(disable)
    for (; s < end; s++)
        a = (a << 1) + *s;
    a += b;
    uint64_t sum = 0x9e3779b97f4a7c15ull * (a[0] + 3 * a[1]);
    return &rt->known_locals->at[sum >> 32 & (KNOWN_LOCALS - 1)];
}

static inline bool same_action(const struct hd_action *a, const struct hd_action *b)
{
    typedef unsigned long long piece __attribute__((vector_size(16), may_alias, aligned(8)));
    const piece *p = (const piece *)a, *q = (const piece *)b;
    _Static_assert(sizeof *a == 2 * sizeof *p, "an action is two pieces");
    piece different = (p[0] ^ q[0]) | (p[1] ^ q[1]);
    return !(different[0] | different[1]);
}

/* False: the local state cannot be kept. */
static inline bool local_by_comparing(uint32_t thread, const char *block, uint64_t out[2])
{
    const struct hd_fiber *f = &rt->fibers[thread];
    const char *slice = (const char *)f->sp;
    uint64_t bytes = f->top - f->sp;
    uint64_t behind = block ? (uint64_t)(rt->tls_end - rt->tls_begin) : 0;
    struct hd_known_locals *known = rt->known_locals;
    if (bytes + behind > KNOWN_BYTES || bytes % 16 || known->missed > 4096 + 2 * known->found)
        return false;
    struct hd_known_local *k = place_of(thread, slice, (uint32_t)bytes);
    uint64_t who = (uint64_t)thread << 32 | (uint32_t)*f->error_number;
    uint64_t what = behind << 32 | bytes;
    if (k->who == who && k->what == what && same_action(&k->next, &rt->next[thread]) &&
        memcmp(k->kept, slice, bytes) == 0 &&
        (!behind || memcmp(k->kept + bytes, block, behind) == 0)) {
        known->found++;
    } else {
        known->missed++;
        k->who = who;
        k->what = what;
        k->next = rt->next[thread];
        memcpy(k->kept, slice, bytes);
        if (behind)
            memcpy(k->kept + bytes, block, behind);
        hash_local(thread, block, k->print);
    }
    out[0] = k->print[0];
    out[1] = k->print[1];
    return true;
}

void hd_state_local(void *self, uint32_t thread, uint64_t out[2])
{
    (void)self;
    const char *block = written_block(&rt->fibers[thread]);
    if (!rt->known_locals || model->n_keys || !local_by_comparing(thread, block, out)) {
        hash_local(thread, block, out);
    } else if (HD_UNLIKELY(rt->shared->options.paranoid)) {
        uint64_t computed[2];
        hash_local(thread, block, computed);
        if (computed[0] != out[0] || computed[1] != out[1])
            hd_rt_bug(NULL, "that a local state has the hash that it had before");
    }
}

void hd_state_prepare(void)
{
    void *known = NULL;
    if (!(rt->shared->options.filters & HD_FILTER_LOCAL_CYCLE))
        known = hd_mmap(NULL, sizeof(struct hd_known_locals), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rt->known_locals = known == MAP_FAILED ? NULL : known;
}

/* The bytes of a state are written after the slices, where there is room until the next step is
 * marked. */
static char *put(char *to, const void *from, uint64_t bytes)
{
    if (to + bytes > rt->slice_end)
        hd_fatal("the states of the program are too large to be kept (--exact-states)");
    memcpy(to, from, bytes);
    return to + bytes;
}

static uint64_t local_bytes(uint32_t thread, char *begin)
{
    const struct hd_fiber *f = &rt->fibers[thread];
    char *to = put(begin, &f->sp, sizeof f->sp);
    to = put(to, (const void *)f->sp, f->top - f->sp);
    if (f->fs_base)
        to = put(to, (const char *)f->fs_base + rt->tls_begin,
                 (uint64_t)(rt->tls_end - rt->tls_begin));
    to = put(to, &model->heaps[thread], sizeof model->heaps[thread]);
    to = put(to, model->values[thread], model->n_keys * sizeof(void *));
    to = put(to, f->error_number, sizeof *f->error_number);
    return (uint64_t)(put(to, &rt->next[thread], sizeof rt->next[thread]) - begin);
}

/* By address, and the older of two entries for one word first (they stay in their order). */
static void sort(struct hd_undo *e, uint64_t n, struct hd_undo *spare)
{
    for (uint64_t width = 1; width < n; width *= 2) {
        for (uint64_t i = 0; i < n; i += 2 * width) {
            uint64_t a = i, middle = i + width < n ? i + width : n;
            uint64_t b = middle, end = middle + width < n ? middle + width : n;
            for (uint64_t to = i; to < end; to++)
                spare[to] = b == end || (a < middle && e[a].at <= e[b].at) ? e[a++] : e[b++];
        }
        memcpy(e, spare, n * sizeof *e);
    }
}

static uint64_t memory_bytes(char *begin)
{
    const struct hd_undo *first = rt->depth ? rt->marks[0].log : rt->log_top;
    uint64_t n = 0, kept = 0, most = 0;
    for (const struct hd_undo *entry = first; entry < rt->log_top; entry++)
        most += hd_undo_words(entry);
    struct hd_undo *e = (struct hd_undo *)(void *)begin;
    if ((char *)(e + 2 * most) > rt->slice_end)
        hd_fatal("the states of the program are too large to be kept (--exact-states)");
    for (const struct hd_undo *entry = first; entry < rt->log_top; entry++)
        for (uint64_t i = 0, words = hd_undo_words(entry); i < words; i++) {
            struct hd_undo word = hd_undo_word(entry, i);
            if (hd_state_owner((uint64_t)(uintptr_t)word.at) == ~0u)
                e[n++] = word;
        }
    sort(e, n, e + n);
    for (uint64_t i = 0; i < n; i++) {
        bool again = i && e[i].at == e[i - 1].at;
        if (!again && *e[i].at != e[i].old)
            e[n + kept++] = (struct hd_undo){ e[i].at, *e[i].at };
    }
    memmove(e, e + n, kept * sizeof *e);
    return kept * sizeof *e;
}

uint64_t hd_state_bytes(void *self, uint32_t thread, const char **bytes)
{
    (void)self;
    char *begin = (char *)(((uintptr_t)rt->slice_top + 15) & ~(uintptr_t)15);
    *bytes = begin;
    return thread == ~0u ? memory_bytes(begin) : local_bytes(thread, begin);
}
