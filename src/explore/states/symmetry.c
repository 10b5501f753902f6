#include "explore/states/symmetry.h"

#include "base/hash.h"
#include "core/pack_parts.h"

#include <stdio.h>
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

struct hd_symmetry {
    struct at *at;
    struct part *pool;
    uint64_t pool_size;
    struct hd_symmetry_change change;
    uint64_t class[HD_MAX_THREADS]; /* at the node; 0: interchangeable with none */
};

struct hd_symmetry *hd_symmetry_create(struct hd_explorer *ex)
{
    struct hd_symmetry *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->at = hd_arena_take(&ex->arena, sizeof *s->at * (uint64_t)(HD_MAX_STEPS + 1));
    s->pool_size = 16ull * HD_MAX_STEPS;
    s->pool = hd_arena_take(&ex->arena, sizeof *s->pool * s->pool_size);
    return s->at && s->pool ? s : NULL;
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

static void find_classes(struct hd_symmetry *s, const struct hd_explorer *ex, uint32_t n)
{
    bool single;
    for (uint32_t t = 0; t < n; t++)
        s->class[t] = ex->world.symmetry_class(ex->world.self, t);
    for (uint32_t t = 0; t < n; t++) {
        single = true;
        for (uint32_t u = 0; u < n && single; u++)
            single = u == t || s->class[u] != s->class[t];
        if (single)
            s->class[t] = 0;
    }
}

static bool is_thread_op(const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_THREAD;
}

/* Does the creator of interchangeable threads break the rules: it is about to join one of them,
 * or has begun to? */
static const char *why_creator(const struct hd_symmetry *s, const struct hd_explorer *ex,
                               uint32_t creator, uint64_t class)
{
    const struct hd_config *config = ex->world.config;
    const struct hd_action *a = &config->next[creator];
    uint32_t joined = 0, left = 0;
    for (uint32_t t = 0; t < config->n_threads; t++) {
        if (s->class[t] != class)
            continue;
        bool over = ex->world.is_joined(ex->world.self, t);
        joined += over;
        left += !over;
    }
    if (!joined || !left || !hd_tset_has(&config->live, creator))
        return NULL;
    bool joins = a->op == HD_OP_JOIN && a->object < HD_MAX_THREADS &&
                 s->class[a->object] == class;
    return joins ? NULL : "their creator does something else before it has joined all of them";
}

/* An operation on an interchangeable thread. */
static const char *why_action(const struct hd_symmetry *s, const struct hd_explorer *ex,
                              uint32_t thread, const struct hd_action *a)
{
    uint32_t object = (uint32_t)a->object;
    if (a->op == HD_OP_CREATE)
        return s->class[thread] ? "one of them creates threads" : NULL;
    if (!is_thread_op(a) || object == thread || object >= HD_MAX_THREADS || !s->class[object])
        return NULL;
    if (a->op != HD_OP_JOIN || ex->shared->threads[object].parent != thread)
        return "one of them is detached, cancelled, or joined by another than its creator";
    return a->object2 ? "the result of one of them is taken" : NULL;
}

/* NULL if interchangeable threads cannot be distinguished, as far as can be seen here;
 * otherwise the reason. */
static const char *why(const struct hd_symmetry *s, const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    const char *reason = ex->world.distinguished_by(ex->world.self);
    for (uint32_t t = 0; t < config->n_threads && !reason; t++) {
        uint64_t class = s->class[t];
        if (class && ex->world.is_published(ex->world.self, t))
            reason = "their ids are where others can see them";
        else if (class)
            reason = why_creator(s, ex, ex->shared->threads[t].parent, class);
        if (!reason && hd_tset_has(&config->live, t))
            reason = why_action(s, ex, t, &config->next[t]);
    }
    return reason;
}

static void give_up(struct hd_explorer *ex, const char *reason)
{
    char text[240];
    snprintf(
        text, sizeof text,
        "--symmetric: threads with the same function and argument can be told apart (%s): leave "
        "it out",
        reason);
    hd_explorer_give_up(ex, text);
}

void hd_symmetry_over(struct hd_explorer *ex)
{
    const char *reason = ex->world.distinguished_by(ex->world.self);
    if (reason)
        give_up(ex, reason);
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
    find_classes(s, ex, at->n);
    const char *reason = why(s, ex);
    bool room = at->parts + at->n <= s->pool_size;
    if (reason || !room) {
        give_up(ex, reason ? reason : "they do not fit into memory");
        at->unknown = true;
        at->n = 0;
        return false;
    }
    take_parts(s, ex, at);
    return !at->unknown;
}

/* The threads whose names do not matter here: they are interchangeable, and nothing points into
 * their parts. */
static void find_nameless(const struct hd_symmetry *s, const struct part *parts, uint32_t n,
                          struct hd_tset *nameless)
{
    struct hd_tset led = { { 0 } };
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t w = 0; w < HD_TSET_WORDS; w++)
            led.w[w] |= parts[t].leads.w[w];
    for (uint32_t t = 0; t < n; t++)
        if (s->class[t] && !parts[t].mentions && !hd_tset_has(&led, t))
            hd_tset_add(nameless, t);
}

struct hd_fingerprint hd_symmetry_print(struct hd_symmetry *s, const struct hd_explorer *ex)
{
    const struct at *at = &s->at[ex->path.depth];
    const struct part *parts = s->pool + at->parts;
    struct hd_tset nameless = { { 0 } };
    struct hd_fingerprint p = at->memory;
    find_nameless(s, parts, at->n, &nameless);
    for (uint32_t t = 0; t < at->n; t++) {
        /* A sum, not xor: two equal parts would cancel each other. */
        uint64_t name = hd_tset_has(&nameless, t) ? s->class[t] : t;
        bool live = hd_tset_has(&ex->world.config->live, t);
        uint64_t lo = hd_hash_step(hd_hash_step(name, parts[t].own.lo), live);
        uint64_t hi = hd_hash_step(hd_hash_step(~name, parts[t].own.hi), live);
        p.lo += hd_hash_step(lo, parts[t].local.lo);
        p.hi += hd_hash_step(hi, parts[t].local.hi);
    }
    return p;
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
}
