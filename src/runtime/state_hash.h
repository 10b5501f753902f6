/* The hashes of memory and of local states (state.c), made of rounds of AES.  Everything here
 * is inlined with a constant `round`, by an instruction (state_aes.c) or without. */
#ifndef HD_RUNTIME_STATE_HASH_H
#define HD_RUNTIME_STATE_HASH_H

#include "runtime/undo.h"

#include <string.h>

#define HD_STATE_INLINE static inline __attribute__((always_inline))
#define HD_STATE_FEW 64 /* words */

typedef unsigned long long hd_piece128 __attribute__((vector_size(16), may_alias));
typedef unsigned long long hd_piece128_at __attribute__((vector_size(16), may_alias, aligned(1)));

/* A round of AES (core/aes.h). */
typedef hd_piece128 hd_state_round(hd_piece128 x, hd_piece128 key);

static const hd_piece128 hd_state_keys[] = {
    { 0x243f6a8885a308d3ull, 0x13198a2e03707344ull }, /* digits of pi */
    { 0xa4093822299f31d0ull, 0x082efa98ec4e6c89ull },
    { 0x452821e638d01377ull, 0xbe5466cf34e90c6cull },
    { 0xc0ac29b7c97c50ddull, 0x3f84d5b5b5470917ull },
    { 0x9216d5d98979fb1bull, 0xd1310ba698dfb5acull },
    { 0x2ffd72dbd01adfb7ull, 0xb8e1afed6a267e96ull },
};

/* What a word with that value contributes: five rounds are a permutation of its address and
 * value, so it is never the same for others. */
HD_STATE_INLINE hd_piece128 hd_state_word(hd_piece128 x, hd_state_round round)
{
    x ^= hd_state_keys[0];
    for (uint32_t i = 1; i <= 5; i++)
        x = round(x, hd_state_keys[i]);
    return x;
}

/* What a word contributes to the change that held `e->old` and holds `now`. */
HD_STATE_INLINE hd_piece128 hd_state_changed(const struct hd_undo *e, uint64_t now,
                                             hd_state_round round)
{
    uint64_t at = (uint64_t)(uintptr_t)e->at;
    return hd_state_word((hd_piece128){ at, e->old }, round) ^
           hd_state_word((hd_piece128){ at, now }, round);
}

/* What does not change while words are looked at. */
struct hd_state_owners {
    uint64_t stacks;              /* bytes of the stacks of all threads */
    uint64_t first_tls, tls_size; /* of the first thread; those of the others are next to their
                                     stacks (tls.c) */
};

HD_STATE_INLINE struct hd_state_owners hd_state_owners(void)
{
    return (struct hd_state_owners){ .stacks = rt->config.n_threads * HD_STACK_STRIDE,
                                     .first_tls = rt->fibers[0].fs_base + (uint64_t)rt->tls_begin,
                                     .tls_size = (uint64_t)(rt->tls_end - rt->tls_begin) };
}

/* hd_state_owner. */
HD_STATE_INLINE uint32_t hd_state_owned(const struct hd_state_owners *o, uint64_t at)
{
    if (at - HD_STACK_BASE < o->stacks)
        return (uint32_t)((at - HD_STACK_BASE) / HD_STACK_STRIDE);
    uint64_t next = at - (uint64_t)(uintptr_t)rt->next;
    if (next < sizeof rt->next)
        return (uint32_t)(next / sizeof rt->next[0]);
    uint64_t telling = at - (uint64_t)(uintptr_t)model->telling;
    if (telling < sizeof model->telling)
        return (uint32_t)(telling / sizeof model->telling[0]);
    return at - o->first_tls < o->tls_size ? 0 : ~0u;
}

/* Account for a changed word: it belongs to a thread, or to memory. */
HD_STATE_INLINE hd_piece128 hd_state_count(const struct hd_undo *e, uint64_t now,
                                           const struct hd_state_owners *o,
                                           struct hd_tset *threads, hd_state_round round)
{
    uint32_t owner = hd_state_owned(o, (uint64_t)(uintptr_t)e->at);
    if (owner == ~0u)
        return hd_state_changed(e, now, round);
    hd_tset_add(threads, owner);
    return (hd_piece128){ 0, 0 };
}

static inline bool hd_state_is_first(const struct hd_undo *begin, const struct hd_undo *e)
{
    for (const struct hd_undo *other = begin; other < e; other++)
        if (other->at == e->at)
            return false;
    return true;
}

/* The first entry of every word and its current value give the difference.  A word that has one
 * of 64 places for itself is found there when it comes again. */
HD_STATE_INLINE hd_piece128 hd_state_count_few(struct hd_undo *begin, struct hd_tset *threads,
                                               hd_state_round round)
{
    const struct hd_undo *top = rt->log_top;
    const struct hd_state_owners owners = hd_state_owners();
    uint64_t seen = 0, *at[64]; /* of the places that have been seen */
    hd_piece128 sum = { 0, 0 };
    for (struct hd_undo *e = begin; e < top; e++) {
        uint64_t place = (uintptr_t)e->at >> 3 & 63, bit = 1ull << place;
        if (seen & bit) {
            if (at[place] == e->at || !hd_state_is_first(begin, e))
                continue;
        } else {
            seen |= bit;
            at[place] = e->at;
        }
        if (*e->at != e->old)
            sum ^= hd_state_count(e, *e->at, &owners, threads, round);
    }
    return sum;
}

/* For long logs, where looking for earlier entries of each word takes too long: undo them one
 * by one, count the change at each, and redo them. */
HD_STATE_INLINE hd_piece128 hd_state_count_many(struct hd_undo *begin, struct hd_tset *threads,
                                                hd_state_round round)
{
    const struct hd_state_owners owners = hd_state_owners();
    hd_piece128 sum = { 0, 0 };
    for (struct hd_undo *e = rt->log_top; e-- > begin;) {
        for (uint64_t i = 0, n = hd_undo_words(e); i < n; i++) {
            struct hd_undo word = hd_undo_word(e, i);
            if (*word.at != word.old)
                sum ^= hd_state_count(&word, *word.at, &owners, threads, round);
        }
        hd_undo_swap(e);
    }
    for (struct hd_undo *e = begin; e < rt->log_top; e++)
        hd_undo_swap(e);
    return sum;
}

HD_STATE_INLINE bool hd_state_change_by(uint32_t since, uint64_t out[2], struct hd_tset *threads,
                                        hd_state_round round)
{
    const struct hd_mark *m = &rt->marks[since];
    out[0] = out[1] = 0;
    if (HD_UNLIKELY(rt->opaque_since_root))
        for (uint32_t i = since; i < rt->depth; i++)
            if (rt->marks[i].opaque)
                return false;
    hd_piece128 sum = rt->log_top - m->log <= HD_STATE_FEW && !hd_undo_has_range(m->log)
                          ? hd_state_count_few(m->log, threads, round)
                          : hd_state_count_many(m->log, threads, round);
    out[0] = sum[0];
    out[1] = sum[1];
    return true;
}

/* Four rounds between a piece and the next one: were their keys random, no given difference
 * would turn into another given one there with a probability above 2⁻¹¹⁰ (Keliher & Sui, IET
 * Information Security 1, 2007).  So a later piece does not make up for a difference in an
 * earlier one. */
HD_STATE_INLINE hd_piece128 hd_state_more(hd_piece128 h, hd_piece128 piece, hd_state_round round)
{
    h = round(round(h, piece), hd_state_keys[0]);
    return round(round(h, hd_state_keys[1]), hd_state_keys[2]);
}

HD_STATE_INLINE hd_piece128 hd_state_load(const char *from)
{
    return *(const hd_piece128_at *)(const void *)from;
}

/* Fewer than 16 bytes. */
static inline hd_piece128 hd_state_load_end(const char *from, uint64_t bytes)
{
    hd_piece128 piece = { 0, 0 };
    memcpy(&piece, from, bytes);
    return piece;
}

/* Four chains, which do not wait for each other. */
struct hd_state_chains {
    hd_piece128 a, b, c, d;
};

HD_STATE_INLINE struct hd_state_chains hd_state_chains(const char *from, uint64_t bytes,
                                                       hd_state_round round)
{
    struct hd_state_chains h = { hd_state_keys[2], hd_state_keys[3], hd_state_keys[4],
                                 hd_state_keys[5] };
    const char *end = from + bytes;
#pragma clang loop unroll(disable)
    for (; end - from >= 64; from += 64) {
        h.a = hd_state_more(h.a, hd_state_load(from), round);
        h.b = hd_state_more(h.b, hd_state_load(from + 16), round);
        h.c = hd_state_more(h.c, hd_state_load(from + 32), round);
        h.d = hd_state_more(h.d, hd_state_load(from + 48), round);
    }
#pragma clang loop unroll(disable)
    for (; end - from >= 16; from += 16)
        h.a = hd_state_more(h.a, hd_state_load(from), round);
    if (HD_UNLIKELY(from < end))
        h.a = hd_state_more(h.a, hd_state_load_end(from, (uint64_t)(end - from)), round);
    return h;
}

HD_STATE_INLINE hd_piece128 hd_state_join(struct hd_state_chains h, hd_state_round round)
{
    h.a = hd_state_more(hd_state_more(h.a, h.b, round), h.c, round);
    return hd_state_more(h.a, h.d, round);
}

/* More of a local state; `bytes` is the same for all of a thread. */
HD_STATE_INLINE hd_piece128 hd_state_add(hd_piece128 h, const void *from, uint64_t bytes,
                                         hd_state_round round)
{
    return hd_state_more(h, hd_state_join(hd_state_chains(from, bytes, round), round), round);
}

/* Comparing two blocks is cheaper than hashing one. */
HD_STATE_INLINE bool hd_state_same(const char *p, const char *q, uint64_t bytes)
{
    typedef unsigned long long piece __attribute__((vector_size(32), may_alias, aligned(1)));
    if (HD_UNLIKELY(bytes < sizeof(piece)))
        return memcmp(p, q, bytes) == 0;
    uint64_t last = bytes - sizeof(piece);
    piece differ = *(const piece *)(p + last) ^ *(const piece *)(q + last);
#pragma clang loop unroll(disable)
    for (uint64_t i = 0; i < last; i += sizeof(piece))
        differ |= *(const piece *)(p + i) ^ *(const piece *)(q + i);
    return !(differ[0] | differ[1] | differ[2] | differ[3]);
}

/* Most threads never write to their thread-local block. */
HD_STATE_INLINE bool hd_state_has_written(const char *block, uint64_t bytes)
{
    return !rt->tls_pristine || !hd_state_same(block, (const char *)rt->tls_pristine, bytes);
}

/* At a scheduling point a thread's registers are on its stack, in the frame of hd_point
 * (switch.S); below that there is nothing of it.  Dead parts of the slice above are included:
 * they depend on the thread's own steps only, so in a loop that reads nothing new they are the
 * same from the second or third iteration on. */
HD_STATE_INLINE void hd_state_local_by(uint32_t thread, uint64_t out[2], hd_state_round round)
{
    const struct hd_fiber *f = &rt->fibers[thread];
    uint64_t bytes = f->top - f->sp, behind = (uint64_t)(rt->tls_end - rt->tls_begin);
    const char *next = (const char *)&rt->next[thread];
    const char *block = (const char *)f->fs_base + rt->tls_begin;
    _Static_assert(sizeof rt->next[thread] == 32, "an action is two pieces");
    struct hd_state_chains h = hd_state_chains((const char *)f->sp, bytes, round);
    h.b = hd_state_more(h.b, hd_state_load(next), round);
    h.c = hd_state_more(h.c, hd_state_load(next + 16), round);
    hd_piece128 who = { (uint64_t)thread << 32 | (uint32_t)*f->error_number, bytes };
    h.d = hd_state_more(h.d, who, round);
    hd_piece128 all = hd_state_join(h, round);
    if (f->fs_base && behind && hd_state_has_written(block, behind))
        all = hd_state_add(all, block, behind, round);
    if (HD_UNLIKELY(rt->shared->options.filters & HD_FILTER_LOCAL_CYCLE))
        all = hd_state_add(all, &model->heaps[thread], sizeof model->heaps[thread], round);
    if (HD_UNLIKELY(model->n_keys))
        all = hd_state_add(all, model->values[thread], model->n_keys * sizeof(void *), round);
    all = round(all, hd_state_keys[3]);
    out[0] = all[0];
    out[1] = all[1];
}

#endif
