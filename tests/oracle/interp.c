#include "interp.h"

#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* What both ways of walking find out. */
struct finds {
    const struct orc_lowered *m;
    struct orc_result *out;
    struct orc_set deadlocks, finals, assumed;
};

static void finds_init(struct finds *f, const struct orc_lowered *m, struct orc_result *out)
{
    memset(out, 0, sizeof *out);
    f->m = m;
    f->out = out;
    orc_set_init(&f->deadlocks);
    orc_set_init(&f->finals);
    orc_set_init(&f->assumed);
}

/* Accesses that stand side by side race, also where one of them ends every execution. */
static void finds_release(struct finds *f)
{
    orc_races_join(&f->out->races, &f->out->beside);
    orc_races_join(&f->out->races, &f->out->first);
    f->out->deadlocks = f->deadlocks.n;
    f->out->assumed = f->assumed.n;
    orc_set_release(&f->assumed);
    orc_set_release(&f->deadlocks);
    orc_set_release(&f->finals);
}

uint64_t orc_fnv1a(const uint8_t *p, uint32_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

static void observe(struct finds *f, const struct orc_state *s)
{
    bool all = f->m->program->joins_all, fresh;
    const uint8_t *bytes = all ? s->memory : s->memory + f->m->layout.obs;
    uint32_t n = all ? f->m->layout.size : 4;
    orc_set_get(&f->finals, orc_key_of(bytes, n), &fresh);
    if (!fresh)
        return;
    uint64_t hash = orc_fnv1a(bytes, n);
    f->out->finals_hash ^= hash;
    if (f->out->n_finals < ORC_MAX_FINALS)
        f->out->finals[f->out->n_finals] = hash;
    f->out->n_finals++;
}

static void finish(struct finds *f, const struct orc_state *s, enum orc_end end, uint16_t stmt)
{
    bool fresh;
    f->out->ends[end]++;
    if (end == ORC_ASSERTED)
        f->out->asserted[stmt] = true;
    if (end == ORC_MISUSED)
        f->out->misused[stmt] = true;
    if (end == ORC_DEADLOCKED)
        orc_set_get(&f->deadlocks, orc_key_of(s->pc, sizeof s->pc), &fresh);
}

/* A thread gives up, in a state that others do not go on from: a maximal execution if it did
 * not. */
static void gave_up(struct finds *f, const struct orc_walk *w, const struct orc_state *s)
{
    bool fresh;
    if (w->events[w->depth - 1].op == ORC_L_ASSUME && !orc_state_moves(f->m, s))
        orc_set_get(&f->assumed, w->traces[w->depth - 1], &fresh);
}

struct brute {
    struct orc_walk walk;
    struct finds finds;
    uint64_t most;
    uint32_t left; /* preemptions */
    struct orc_set traces;
};

static void brute_end(struct brute *b, const struct orc_state *s, enum orc_end end, uint16_t stmt)
{
    struct orc_result *out = b->finds.out;
    bool fresh;
    finish(&b->finds, s, end, stmt);
    if (end == ORC_ASSUMED) {
        gave_up(&b->finds, &b->walk, s);
        out->overflow |= out->ends[end] > 16 * b->most;
        return;
    }
    bool observers = b->walk.m->program->finer & ORC_FINER_OBSERVERS;
    struct orc_key key = observers ? orc_walk_observed(&b->walk) : b->walk.traces[b->walk.depth];
    orc_set_get(&b->traces, key, &fresh);
    out->overflow = ++out->interleavings > b->most;
}

static bool preempts(const struct brute *b, const struct orc_state *s, uint32_t t)
{
    if (b->walk.depth == 0)
        return false;
    const struct orc_event *e = &b->walk.events[b->walk.depth - 1];
    return t != e->thread && e->op != ORC_V_YIELD && e->op != ORC_V_CLOCK &&
           !orc_state_gives_up(b->walk.m, s, e->thread) &&
           orc_state_choices(b->walk.m, s, e->thread) > 0;
}

static void brute_from(struct brute *b, const struct orc_state *s)
{
    bool moved = false;
    b->finds.out->overflow |= b->walk.depth == ORC_MAX_STEPS;
    orc_races_of(b->walk.m, s, &b->finds.out->beside);
    for (uint32_t t = 0; t < b->walk.m->program->n_threads; t++) {
        uint32_t n = orc_state_choices(b->walk.m, s, t), cost = n && preempts(b, s, t);
        moved |= n > 0;
        if (cost > b->left)
            continue;
        b->left -= cost;
        for (uint32_t choice = 0; choice < n && !b->finds.out->overflow; choice++) {
            struct orc_state next = *s;
            uint16_t stmt;
            enum orc_end end = orc_walk_step(&b->walk, &next, t, choice, &stmt);
            if (next.observed && !s->observed)
                observe(&b->finds, &next);
            if (end == ORC_GOES_ON)
                brute_from(b, &next);
            else
                brute_end(b, &next, end, stmt);
            orc_walk_back(&b->walk);
        }
        b->left += cost;
    }
    if (!moved)
        brute_end(b, s, ORC_DEADLOCKED, ORC_NONE);
    else
        b->finds.out->circles |= orc_state_circle(b->walk.m, s);
}

void orc_brute_within(const struct orc_lowered *m, uint64_t most, uint32_t preemptions,
                      struct orc_result *out)
{
    struct brute b = { .most = most, .left = preemptions };
    struct orc_state s;
    finds_init(&b.finds, m, out);
    orc_walk_init(&b.walk, m);
    b.walk.races = &out->races;
    b.walk.first = &out->first;
    orc_set_init(&b.traces);
    orc_state_init(m, &s);
    brute_from(&b, &s);
    out->traces = b.traces.n;
    out->weak = b.walk.weak;
    finds_release(&b.finds);
    orc_set_release(&b.traces);
}

void orc_brute(const struct orc_lowered *m, uint64_t most, struct orc_result *out)
{
    orc_brute_within(m, most, UINT32_MAX, out);
}

struct dag {
    struct orc_walk walk;
    struct finds finds;
    uint64_t most;
    struct orc_set seen; /* prefix trace -> value: maximal paths from it; value2: its state */
};

static uint64_t add_saturating(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

static uint64_t dag_from(struct dag *g, const struct orc_state *s);

/* The paths through one step and all that may follow. */
static uint64_t dag_step(struct dag *g, const struct orc_state *s, uint32_t t, uint32_t choice)
{
    struct orc_state next = *s;
    uint16_t stmt;
    bool fresh;
    enum orc_end end = orc_walk_step(&g->walk, &next, t, choice, &stmt);
    struct orc_key key = g->walk.traces[g->walk.depth];
    struct orc_entry *e = orc_set_get(&g->seen, key, &fresh);
    uint64_t state = orc_key_of(&next, sizeof next).a, paths = e->value;
    if (!fresh && e->value2 != state) {
        fputs("oracle: equal traces, different states: the dependence is wrong\n", stderr);
        abort();
    }
    if (fresh) {
        e->value2 = state;
        g->finds.out->overflow |= g->seen.n > g->most;
        if (next.observed && !s->observed)
            observe(&g->finds, &next);
        if (end != ORC_GOES_ON)
            finish(&g->finds, &next, end, stmt);
        if (end == ORC_ASSUMED)
            gave_up(&g->finds, &g->walk, s);
        g->finds.out->traces += end != ORC_GOES_ON && end != ORC_ASSUMED;
        paths = end == ORC_GOES_ON ? dag_from(g, &next) : end != ORC_ASSUMED;
        orc_set_get(&g->seen, key, &fresh)->value = paths;
    }
    orc_walk_back(&g->walk);
    return paths;
}

static uint64_t dag_from(struct dag *g, const struct orc_state *s)
{
    uint64_t paths = 0;
    bool moved = false;
    g->finds.out->overflow |= g->walk.depth == ORC_MAX_STEPS;
    orc_races_of(g->walk.m, s, &g->finds.out->beside);
    for (uint32_t t = 0; t < g->walk.m->program->n_threads; t++) {
        uint32_t n = orc_state_choices(g->walk.m, s, t);
        moved |= n > 0;
        for (uint32_t choice = 0; choice < n && !g->finds.out->overflow; choice++)
            paths = add_saturating(paths, dag_step(g, s, t, choice));
    }
    if (moved) {
        g->finds.out->circles |= orc_state_circle(g->walk.m, s);
        return paths;
    }
    finish(&g->finds, s, ORC_DEADLOCKED, ORC_NONE);
    g->finds.out->traces++;
    return 1;
}

void orc_dag(const struct orc_lowered *m, uint64_t most, struct orc_result *out)
{
    struct dag g = { .most = most };
    struct orc_state s;
    finds_init(&g.finds, m, out);
    orc_walk_init(&g.walk, m);
    g.walk.races = &out->races;
    g.walk.first = &out->first;
    orc_set_init(&g.seen);
    orc_state_init(m, &s);
    out->interleavings = dag_from(&g, &s);
    out->weak = g.walk.weak;
    finds_release(&g.finds);
    orc_set_release(&g.seen);
}

bool orc_result_same(const struct orc_result *a, const struct orc_result *b)
{
    return a->interleavings == b->interleavings && a->traces == b->traces &&
           a->assumed == b->assumed && a->deadlocks == b->deadlocks && a->circles == b->circles &&
           a->n_finals == b->n_finals && a->finals_hash == b->finals_hash &&
           memcmp(&a->races, &b->races, sizeof a->races) == 0 &&
           memcmp(&a->first, &b->first, sizeof a->first) == 0 &&
           memcmp(a->asserted, b->asserted, sizeof a->asserted) == 0 &&
           memcmp(a->misused, b->misused, sizeof a->misused) == 0;
}
