#include "interp.h"

#include "walk.h"

#include <stdlib.h>
#include <string.h>

struct brute {
    struct orc_walk walk;
    uint64_t most;
    struct orc_result *out;
    struct orc_set traces, deadlocks, finals;
};

static uint64_t fnv1a(const uint8_t *p, uint32_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

static void observe(struct brute *b, const struct orc_state *s)
{
    const struct orc_layout *lay = &b->walk.m->layout;
    bool all = b->walk.m->program->joins_all, fresh;
    const uint8_t *bytes = all ? s->memory : s->memory + lay->obs;
    uint32_t n = all ? lay->size : 4;
    orc_set_get(&b->finals, orc_key_of(bytes, n), &fresh);
    if (!fresh)
        return;
    uint64_t hash = fnv1a(bytes, n);
    b->out->finals_hash ^= hash;
    if (b->out->n_finals < ORC_MAX_FINALS)
        b->out->finals[b->out->n_finals] = hash;
    b->out->n_finals++;
}

static void finish(struct brute *b, const struct orc_state *s, enum orc_end end, uint16_t stmt)
{
    bool fresh;
    struct orc_result *out = b->out;
    out->interleavings++;
    out->ends[end]++;
    orc_set_get(&b->traces, b->walk.traces[b->walk.depth], &fresh);
    if (end == ORC_ASSERTED)
        out->asserted[stmt] = true;
    if (end == ORC_MISUSED)
        out->misused[stmt] = true;
    if (end == ORC_DEADLOCKED)
        orc_set_get(&b->deadlocks, orc_key_of(s->pc, sizeof s->pc), &fresh);
    out->overflow = out->interleavings > b->most;
}

static void brute_from(struct brute *b, const struct orc_state *s)
{
    bool moved = false;
    for (uint32_t t = 0; t < b->walk.m->program->n_threads; t++) {
        uint32_t n = orc_state_choices(b->walk.m, s, t);
        for (uint32_t choice = 0; choice < n && !b->out->overflow; choice++) {
            struct orc_state next = *s;
            uint16_t stmt;
            enum orc_end end = orc_walk_step(&b->walk, &next, t, choice, &stmt);
            if (next.observed && !s->observed)
                observe(b, &next);
            if (end == ORC_GOES_ON)
                brute_from(b, &next);
            else
                finish(b, &next, end, stmt);
            orc_walk_back(&b->walk);
        }
        moved |= n > 0;
    }
    if (!moved)
        finish(b, s, ORC_DEADLOCKED, ORC_NONE);
}

void orc_brute(const struct orc_lowered *m, uint64_t most, struct orc_result *out)
{
    struct brute b = { .most = most, .out = out };
    struct orc_state s;
    memset(out, 0, sizeof *out);
    orc_walk_init(&b.walk, m);
    orc_set_init(&b.traces);
    orc_set_init(&b.deadlocks);
    orc_set_init(&b.finals);
    orc_state_init(m, &s);
    brute_from(&b, &s);
    out->traces = b.traces.n;
    out->deadlocks = b.deadlocks.n;
    orc_set_release(&b.traces);
    orc_set_release(&b.deadlocks);
    orc_set_release(&b.finals);
}

struct dag {
    struct orc_walk walk;
    uint64_t most;
    struct orc_result *out;
    struct orc_set seen; /* prefix trace -> value: maximal paths from it; value2: its state */
};

static uint64_t add_saturating(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

static uint64_t state_hash(const struct orc_state *s) { return orc_key_of(s, sizeof *s).a; }

static uint64_t dag_from(struct dag *g, const struct orc_state *s, enum orc_end end)
{
    bool fresh;
    struct orc_key key = g->walk.traces[g->walk.depth];
    struct orc_entry *e = orc_set_get(&g->seen, key, &fresh);
    if (!fresh) {
        if (e->value2 != state_hash(s)) {
            fputs("oracle: equal traces, different states: the dependence is wrong\n", stderr);
            abort();
        }
        return e->value;
    }
    e->value2 = state_hash(s);
    g->out->overflow |= g->seen.n > g->most;
    uint64_t paths = 0;
    for (uint32_t t = 0; end == ORC_GOES_ON && t < g->walk.m->program->n_threads; t++) {
        uint32_t n = orc_state_choices(g->walk.m, s, t);
        for (uint32_t choice = 0; choice < n && !g->out->overflow; choice++) {
            struct orc_state next = *s;
            uint16_t stmt;
            enum orc_end then = orc_walk_step(&g->walk, &next, t, choice, &stmt);
            paths = add_saturating(paths, dag_from(g, &next, then));
            orc_walk_back(&g->walk);
        }
    }
    if (paths == 0) {
        g->out->traces++;
        paths = 1;
    }
    orc_set_get(&g->seen, key, &fresh)->value = paths;
    return paths;
}

void orc_dag(const struct orc_lowered *m, uint64_t most, struct orc_result *out)
{
    struct dag g = { .most = most, .out = out };
    struct orc_state s;
    memset(out, 0, sizeof *out);
    orc_walk_init(&g.walk, m);
    orc_set_init(&g.seen);
    orc_state_init(m, &s);
    out->interleavings = dag_from(&g, &s, ORC_GOES_ON);
    orc_set_release(&g.seen);
}
