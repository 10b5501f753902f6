#include "explore/states/symmetry.h"

#include "base/hash.h"
#include "core/pack_parts.h"
#include "explore/loop/like_threads.h"

#include <string.h>

struct part { /* of a thread, at a node */
    struct hd_fingerprint own;
    struct hd_fingerprint local;
    int32_t mentions;     /* words of memory that point into its part */
    struct hd_tset leads; /* the parts that its stack points into */
};

struct at { /* by depth */
    struct hd_fingerprint memory;
    uint64_t parts; /* where they begin, in the pool */
    uint32_t n;
    bool unknown;
};

struct on_path { /* a stored state of the path */
    struct hd_fingerprint print;
    uint32_t depth;
    uint32_t older; /* in its bucket, + 1 */
};

#define BUCKETS (1u << 14)

struct hd_symmetry {
    struct at *at;
    struct part *pool;
    uint64_t pool_size;
    struct hd_symmetry_change change;
    struct hd_like_threads like; /* at the node */
    struct hd_tset nameless;     /* at the node: interchangeable, and nothing leads to them */
    struct on_path *path;
    uint32_t n_path;
    uint32_t buckets[BUCKETS]; /* the newest of each, + 1 */
};

struct hd_symmetry *hd_symmetry_create(struct hd_explorer *ex)
{
    struct hd_symmetry *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->at = hd_arena_take(&ex->arena, sizeof *s->at * (uint64_t)(HD_MAX_STEPS + 1));
    s->pool_size = 16ull * HD_MAX_STEPS;
    s->pool = hd_arena_take(&ex->arena, sizeof *s->pool * s->pool_size);
    s->path = hd_arena_take(&ex->arena, sizeof *s->path * (HD_MAX_STEPS + 1ull));
    return s->at && s->pool && s->path ? s : NULL;
}

static void xor_into(struct hd_fingerprint *p, const uint64_t h[2])
{
    p->lo ^= h[0];
    p->hi ^= h[1];
}

/* The parts at this node: those of the node before, with what the step has changed. */
static void take_parts(struct hd_symmetry *s, const struct hd_explorer *ex, struct at *at)
{
    const struct hd_world *world = &ex->world;
    const struct at *before = ex->path.depth ? at - 1 : NULL;
    struct part *now = s->pool + at->parts;
    for (uint32_t t = 0; t < at->n; t++) {
        bool old = before && t < before->n, live = hd_tset_has(&world->config->live, t);
        now[t] = old ? s->pool[before->parts + t] : (struct part){ 0 };
        if (before) {
            xor_into(&now[t].own, s->change.by[t].own);
            now[t].mentions += s->change.by[t].mentions;
        }
        if (!live) {
            now[t].local = (struct hd_fingerprint){ 0, 0 };
            hd_tset_clear(&now[t].leads);
        } else if (!old || hd_tset_has(&s->change.changed, t)) {
            uint64_t h[2];
            hd_tset_clear(&now[t].leads);
            world->symmetry_local(world->self, t, h, &now[t].leads);
            now[t].local = (struct hd_fingerprint){ h[0], h[1] };
        }
    }
}

/* ---- the states of the path ---- */

static uint32_t *bucket(struct hd_symmetry *s, const struct hd_fingerprint *p)
{
    return &s->buckets[p->lo % BUCKETS];
}

void hd_symmetry_enter(struct hd_symmetry *s, const struct hd_explorer *ex,
                       struct hd_fingerprint print)
{
    uint32_t *newest = bucket(s, &print);
    s->path[s->n_path] = (struct on_path){ print, ex->path.depth, *newest };
    *newest = ++s->n_path;
}

void hd_symmetry_leave(struct hd_symmetry *s, uint32_t depth)
{
    while (s->n_path && s->path[s->n_path - 1].depth >= depth) {
        const struct on_path *p = &s->path[--s->n_path];
        *bucket(s, &p->print) = p->older;
    }
}

void hd_symmetry_met(struct hd_symmetry *s, struct hd_explorer *ex, struct hd_fingerprint print)
{
    for (uint32_t i = *bucket(s, &print); i && !ex->opt->no_livelocks; i = s->path[i - 1].older)
        if (s->path[i - 1].print.lo == print.lo && s->path[i - 1].print.hi == print.hi) {
            hd_like_threads_give_up(
                ex, "a run comes back to a state, and livelocks are looked for by thread");
            return;
        }
}

bool hd_symmetry_at_node(struct hd_symmetry *s, struct hd_explorer *ex)
{
    const struct hd_world *world = &ex->world;
    struct at *at = &s->at[ex->path.depth];
    const struct at *before = ex->path.depth ? at - 1 : NULL;
    *at = (struct at){ .n = world->config->n_threads };
    if (before) {
        at->memory = before->memory;
        at->parts = before->parts + before->n;
        at->unknown = before->unknown || !world->symmetry_change(world->self, &s->change);
        xor_into(&at->memory, s->change.memory);
        hd_tset_add(&s->change.changed, world->config->last);
    }
    const char *reason = hd_like_threads_look(&s->like, ex);
    bool room = at->parts + at->n <= s->pool_size;
    if (reason || !room) {
        hd_like_threads_give_up(ex, reason ? reason : "they do not fit into memory");
        at->unknown = true;
        at->n = 0;
        return false;
    }
    take_parts(s, ex, at);
    return !at->unknown;
}

/* The threads whose names do not matter here: they are interchangeable, and nothing points into
 * their parts. */
static void find_nameless(struct hd_symmetry *s, const struct part *parts, uint32_t n)
{
    struct hd_tset led = { { 0 } };
    hd_tset_clear(&s->nameless);
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t w = 0; w < hd_tset_words(n); w++)
            led.w[w] |= parts[t].leads.w[w];
    for (uint32_t t = 0; t < n; t++)
        if (s->like.class[t] && !parts[t].mentions && !hd_tset_has(&led, t))
            hd_tset_add(&s->nameless, t);
}

struct hd_fingerprint hd_symmetry_print(struct hd_symmetry *s, const struct hd_explorer *ex)
{
    const struct at *at = &s->at[ex->path.depth];
    const struct part *parts = s->pool + at->parts;
    struct hd_fingerprint p = at->memory;
    find_nameless(s, parts, at->n);
    for (uint32_t t = 0; t < at->n; t++) {
        /* A sum, not xor: two equal parts would cancel each other. */
        uint64_t name = hd_tset_has(&s->nameless, t) ? s->like.class[t] : t;
        bool live = hd_tset_has(&ex->world.config->live, t);
        uint64_t lo = hd_hash_step(hd_hash_step(name, parts[t].own.lo), live);
        uint64_t hi = hd_hash_step(hd_hash_step(~name, parts[t].own.hi), live);
        p.lo += hd_hash_step(lo, parts[t].local.lo);
        p.hi += hd_hash_step(hi, parts[t].local.hi);
    }
    return p;
}

static bool alike(const struct hd_symmetry *s, const struct part *parts, uint32_t t, uint32_t u)
{
    return s->like.class[t] == s->like.class[u] && hd_tset_has(&s->nameless, t) &&
           hd_tset_has(&s->nameless, u) && parts[t].own.lo == parts[u].own.lo &&
           parts[t].own.hi == parts[u].own.hi && parts[t].local.lo == parts[u].local.lo &&
           parts[t].local.hi == parts[u].local.hi;
}

uint32_t hd_symmetry_admit(const struct hd_symmetry *s, const struct hd_explorer *ex,
                           uint32_t *alts, uint32_t n)
{
    const struct part *parts = s->pool + s->at[ex->path.depth].parts;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t thread = HD_STEP_THREAD(alts[i]);
        bool covered = false;
        for (uint32_t k = 0; k < kept && !covered; k++)
            covered = alts[i] - thread == alts[k] - HD_STEP_THREAD(alts[k]) &&
                      alike(s, parts, thread, HD_STEP_THREAD(alts[k]));
        if (!covered)
            alts[kept++] = alts[i];
    }
    return kept;
}

static void pack_part(struct part *part, struct hd_pack *p)
{
    uint32_t mentions = (uint32_t)part->mentions;
    hd_pack_bytes(p, &part->own, sizeof part->own);
    hd_pack_bytes(p, &part->local, sizeof part->local);
    hd_pack_u32(p, &mentions, UINT32_MAX);
    part->mentions = (int32_t)mentions;
    hd_pack_set(p, &part->leads);
}

void hd_symmetry_pack(struct hd_symmetry *s, const struct hd_explorer *ex, struct hd_pack *p)
{
    uint64_t parts = 0;
    for (uint32_t d = 0; d < ex->path.n_nodes && !p->bad; d++) {
        struct at *at = &s->at[d];
        hd_pack_bytes(p, &at->memory, sizeof at->memory);
        hd_pack_u32(p, &at->n, HD_MAX_THREADS);
        hd_pack_bool(p, &at->unknown);
        at->parts = parts;
        hd_pack_want(p, parts + at->n <= s->pool_size);
        for (uint32_t t = 0; t < at->n && !p->bad; t++)
            pack_part(&s->pool[parts++], p);
    }
    hd_pack_count(p, &s->n_path, ex->path.n_nodes);
    for (uint32_t i = 0; i < s->n_path && !p->bad; i++) {
        struct on_path *at = &s->path[i];
        hd_pack_bytes(p, &at->print, sizeof at->print);
        hd_pack_u32(p, &at->depth, ex->path.n_nodes);
        hd_pack_want(p, i == 0 || at->depth > at[-1].depth);
        at->older = 0;
    }
    memset(s->buckets, 0, sizeof s->buckets);
    for (uint32_t i = 0; i < s->n_path && !p->bad; i++) {
        uint32_t *newest = bucket(s, &s->path[i].print);
        s->path[i].older = *newest;
        *newest = i + 1;
    }
}
