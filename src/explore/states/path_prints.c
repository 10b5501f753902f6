#include "explore/states/path_prints.h"

#include "core/pack_parts.h"

#include <string.h>

#define MOST_BEFORE (16ull * HD_MAX_STEPS)

bool hd_path_prints_init(struct hd_path_prints *s, struct hd_arena *arena)
{
    s->at = hd_arena_take(arena, sizeof *s->at * (HD_MAX_STEPS + 1ull));
    s->before = hd_arena_take(arena, sizeof *s->before * MOST_BEFORE);
    return s->at && s->before;
}

void hd_path_prints_clear(struct hd_path_prints *s)
{
    s->n_at = s->n_before = 0;
    memset(s->local, 0, sizeof s->local);
}

static struct hd_fingerprint local_print(const struct hd_explorer *ex, uint32_t thread)
{
    uint64_t h[2];
    if (!hd_tset_has(&ex->world.config->live, thread))
        return (struct hd_fingerprint){ 0, 0 };
    ex->world.local_state(ex->world.self, thread, h);
    return (struct hd_fingerprint){ h[0], h[1] };
}

static void take_locals(struct hd_path_prints *s, const struct hd_explorer *ex,
                        struct hd_print_at *at, const struct hd_tset *changed)
{
    for (uint32_t i = 0; i < hd_tset_words(at->n_threads); i++)
        for (uint64_t w = changed->w[i]; w; w &= w - 1) {
            uint32_t t = i * 64 + (uint32_t)__builtin_ctzll(w);
            struct hd_fingerprint now = local_print(ex, t);
            s->before[s->n_before++] = (struct hd_local_before){ s->local[t], t };
            at->locals.lo ^= s->local[t].lo ^ now.lo;
            at->locals.hi ^= s->local[t].hi ^ now.hi;
            s->local[t] = now;
        }
}

/* The threads that have made steps [since, depth), and those from `known` on. */
static inline void add_moved(const struct hd_explorer *ex, uint32_t since, uint32_t known,
                             struct hd_tset *changed)
{
    const uint32_t *steps = ex->path.steps;
    uint32_t depth = ex->path.depth, n = ex->world.config->n_threads;
    uint64_t moved = changed->w[0];
    if (n > 64) {
        for (uint32_t d = since; d < depth; d++)
            hd_tset_add(changed, HD_STEP_THREAD(steps[d]));
        for (uint32_t t = known; t < n; t++)
            hd_tset_add(changed, t);
        return;
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t d = since; d < depth; d++)
        moved |= 1ull << (steps[d] & 63);
    if (known < n)
        moved |= (~0ull >> (64 - (n - known))) << known;
    changed->w[0] = moved;
}

/* Compute the fingerprint of the new node from that of the last node before it that has one.
 * `unknown`: this state cannot be distinguished from others. */
static void compute(struct hd_path_prints *s, const struct hd_explorer *ex)
{
    struct hd_print_at *at = &s->at[s->n_at];
    uint32_t depth = ex->path.depth, since = 0, known = 0;
    struct hd_tset changed = { { 0 } };
    uint64_t change[2] = { 0, 0 };
    if (s->n_at) {
        *at = at[-1];
        since = at->depth;
        known = at->n_threads;
    } else {
        *at = (struct hd_print_at){ .depth = 0 };
    }
    s->n_at++;
    at->depth = depth;
    at->n_before = s->n_before;
    at->n_threads = ex->world.config->n_threads;
    if (at->unknown || s->n_before + HD_MAX_THREADS > MOST_BEFORE ||
        (depth > since && !ex->world.state_change(ex->world.self, since, change, &changed))) {
        at->unknown = true;
        return;
    }
    add_moved(ex, since, known, &changed);
    take_locals(s, ex, at, &changed);
    at->memory.lo ^= change[0];
    at->memory.hi ^= change[1];
}

bool hd_path_prints_look(struct hd_path_prints *s, const struct hd_explorer *ex,
                         struct hd_fingerprint *print)
{
    const struct hd_print_at *at = &s->at[s->n_at];
    if (!s->n_at || at[-1].depth != ex->path.depth)
        compute(s, ex);
    else
        at--;
    *print = (struct hd_fingerprint){ at->memory.lo ^ at->locals.lo,
                                      at->memory.hi ^ at->locals.hi };
    return !at->unknown;
}

static void pack_print(struct hd_pack *p, struct hd_fingerprint *print)
{
    hd_pack_bytes(p, print, sizeof *print);
}

void hd_path_prints_pack(struct hd_path_prints *s, struct hd_explorer *ex, struct hd_pack *p)
{
    hd_pack_count(p, &s->n_at, ex->path.n_nodes + 1ull);
    hd_pack_count(p, &s->n_before, MOST_BEFORE);
    for (uint32_t i = 0; i < s->n_at && !p->bad; i++) {
        struct hd_print_at *at = &s->at[i];
        pack_print(p, &at->memory);
        pack_print(p, &at->locals);
        hd_pack_u32(p, &at->depth, ex->path.n_nodes);
        hd_pack_u32(p, &at->n_threads, HD_MAX_THREADS);
        hd_pack_u32(p, &at->n_before, s->n_before);
        hd_pack_bool(p, &at->unknown);
        hd_pack_want(p, i == 0 || (at->depth > at[-1].depth && at->n_before >= at[-1].n_before));
    }
    for (uint32_t i = 0; i < s->n_before && !p->bad; i++) {
        uint32_t thread = (uint32_t)s->before[i].thread;
        pack_print(p, &s->before[i].print);
        hd_pack_thread(p, &thread);
        s->before[i].thread = thread;
    }
    for (uint32_t t = 0; t < HD_MAX_THREADS && !p->bad; t++) {
        bool there = s->local[t].lo | s->local[t].hi;
        hd_pack_bool(p, &there);
        if (there)
            pack_print(p, &s->local[t]);
    }
}
