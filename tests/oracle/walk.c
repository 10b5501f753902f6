#include "walk.h"

#include <stdlib.h>
#include <string.h>

void orc_walk_init(struct orc_walk *w, const struct orc_lowered *m)
{
    memset(w, 0, sizeof *w);
    w->m = m;
}

/* The clock of an event: itself, and all that is before an earlier one it depends on. */
static void set_clock(struct orc_walk *w, uint32_t at)
{
    const struct orc_event *e = &w->events[at];
    uint8_t *clock = w->clocks[at];
    memset(clock, 0, 8);
    for (uint32_t d = at; d-- > 0;) {
        const struct orc_event *before = &w->events[d];
        if (before->index < clock[before->thread] || !orc_dependent(before, e))
            continue; /* it is before one that is before */
        for (int t = 0; t < ORC_MAX_THREADS; t++)
            clock[t] = w->clocks[d][t] > clock[t] ? w->clocks[d][t] : clock[t];
    }
    clock[e->thread] = (uint8_t)(e->index + 1);
}

static struct orc_key key_at(const struct orc_walk *w, uint32_t at)
{
    struct {
        struct orc_event event;
        uint8_t clock[8];
    } whole;
    memset(&whole, 0, sizeof whole);
    whole.event = w->events[at];
    whole.event.alone = 0; /* others may have ended before or after it */
    memcpy(whole.clock, w->clocks[at], 8);
    return orc_key_of(&whole, sizeof whole);
}

/* Is the next step that touches what event d stores to a store of the same? */
static bool unseen(const struct orc_walk *w, const bool *alone, uint32_t d)
{
    const struct orc_event *e = &w->events[d];
    if (!e->stores)
        return false;
    for (uint32_t i = d + 1; i < w->depth; i++) {
        struct orc_event other = w->events[i];
        other.thread = (uint8_t)(e->thread + 1); /* of its bytes alone */
        if (alone[i])
            return false;
        if (orc_dependent(e, &other))
            return other.stores && other.touch[0].begin == e->touch[0].begin &&
                   other.touch[0].end == e->touch[0].end;
    }
    return false;
}

/* The thread is alone and comes after all that the others did: it has joined them. */
static void find_alone(const struct orc_walk *w, bool *alone)
{
    uint8_t count[ORC_MAX_THREADS] = { 0 };
    for (uint32_t d = 0; d < w->depth; d++) {
        alone[d] = w->events[d].alone;
        for (int t = 0; t < ORC_MAX_THREADS; t++)
            alone[d] = alone[d] && count[t] <= w->clocks[d][t];
        count[w->events[d].thread]++;
    }
}

struct orc_key orc_walk_observed(struct orc_walk *w)
{
    struct orc_key sum = { 0, 0 };
    uint8_t clocks[ORC_MAX_STEPS + 1][8], commutes[ORC_MAX_STEPS + 1];
    bool hidden[ORC_MAX_STEPS + 1], alone[ORC_MAX_STEPS + 1];
    find_alone(w, alone);
    memcpy(clocks, w->clocks, w->depth * sizeof *clocks);
    for (uint32_t d = 0; d < w->depth; d++)
        hidden[d] = unseen(w, alone, d);
    for (uint32_t d = 0; d < w->depth; d++) {
        commutes[d] = w->events[d].commutes;
        if (hidden[d])
            w->events[d].commutes = ORC_UNSEEN;
    }
    for (uint32_t d = 0; d < w->depth; d++) {
        set_clock(w, d);
        struct orc_key key = key_at(w, d);
        sum.a += key.a;
        sum.b += key.b;
    }
    for (uint32_t d = 0; d < w->depth; d++)
        w->events[d].commutes = commutes[d];
    memcpy(w->clocks, clocks, w->depth * sizeof *clocks);
    return sum;
}

/* Does the newest step come of a race: of a step that races with an earlier one, which it depends
 * on or which happens before it?  What a barrier lets go on does not depend on the last arrival by
 * what it touches, but happens after it. */
static bool comes_of_race(const struct orc_walk *w)
{
    const uint64_t *before = w->hb.events[w->n_hb[w->depth]].before;
    for (uint32_t d = 0; d < w->depth; d++)
        if (w->racy[d] && (w->events[d].index < w->clocks[w->depth][w->events[d].thread] ||
                           before[w->n_hb[d] / 64] >> w->n_hb[d] % 64 & 1))
            return true;
    return false;
}

/* Is another thread there that has an access of the same bytes? */
static bool beside(const struct orc_walk *w, const struct orc_state *s, uint32_t t,
                   const struct orc_code *c)
{
    bool any = false;
    for (uint32_t u = 0; u < w->m->program->n_threads; u++)
        for (uint32_t i = 0; i < w->m->n[u] && u != t && s->life[u] == ORC_LIVE; i++) {
            const struct orc_code *o = &w->m->code[u][i];
            any = any || (c->offset < o->offset + o->size && o->offset < c->offset + c->size);
        }
    return any;
}

static void find_races(struct orc_walk *w, const struct orc_code *c)
{
    struct orc_races found;
    memset(&found, 0, sizeof found);
    w->n_hb[w->depth] = w->hb.n;
    bool races = orc_hb_step(&w->hb, c, &w->events[w->depth], &found);
    bool comes = comes_of_race(w);
    if (races)
        orc_races_join(comes ? w->races : w->first, &found);
    w->racy[w->depth] = races || comes;
}

enum orc_end orc_walk_step(struct orc_walk *w, struct orc_state *s, uint32_t t, uint32_t choice,
                           uint16_t *stmt)
{
    if (w->depth == ORC_MAX_STEPS) {
        fputs("oracle: a generated program runs for too many steps\n", stderr);
        exit(2);
    }
    struct orc_event *e = &w->events[w->depth];
    const struct orc_code *c = &w->m->code[t][s->pc[t]];
    w->weak = w->weak || (c->atomic && (c->order != ORC_SEQ_CST || c->order2 != ORC_SEQ_CST) &&
                          beside(w, s, t, c));
    enum orc_end end = orc_state_step(w->m, s, t, choice, e, stmt);
    e->index = w->count[t]++;
    set_clock(w, w->depth);
    if (w->races)
        find_races(w, c);
    struct orc_key key = key_at(w, w->depth);
    w->traces[w->depth + 1].a = w->traces[w->depth].a + key.a;
    w->traces[w->depth + 1].b = w->traces[w->depth].b + key.b;
    w->depth++;
    return end;
}

void orc_walk_back(struct orc_walk *w)
{
    w->depth--;
    if (w->races)
        orc_hb_cut(&w->hb, w->n_hb[w->depth]);
    w->count[w->events[w->depth].thread]--;
}
