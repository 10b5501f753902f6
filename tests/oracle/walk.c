#include "walk.h"

#include <stdlib.h>
#include <string.h>

void orc_walk_init(struct orc_walk *w, const struct orc_lowered *m)
{
    memset(w, 0, sizeof *w);
    w->m = m;
}

/* The clock of the newest event: itself, and all that is before an earlier one it depends on. */
static void set_clock(struct orc_walk *w)
{
    const struct orc_event *e = &w->events[w->depth];
    uint8_t *clock = w->clocks[w->depth];
    memset(clock, 0, 8);
    for (uint32_t d = w->depth; d-- > 0;) {
        const struct orc_event *before = &w->events[d];
        if (before->index < clock[before->thread] || !orc_dependent(before, e))
            continue; /* it is before one that is before */
        for (int t = 0; t < ORC_MAX_THREADS; t++)
            clock[t] = w->clocks[d][t] > clock[t] ? w->clocks[d][t] : clock[t];
    }
    clock[e->thread] = (uint8_t)(e->index + 1);
}

enum orc_end orc_walk_step(struct orc_walk *w, struct orc_state *s, uint32_t t, uint32_t choice,
                           uint16_t *stmt)
{
    if (w->depth == ORC_MAX_STEPS) {
        fputs("oracle: a generated program runs for too many steps\n", stderr);
        exit(2);
    }
    struct orc_event *e = &w->events[w->depth];
    enum orc_end end = orc_state_step(w->m, s, t, choice, e, stmt);
    e->index = w->count[t]++;
    set_clock(w);
    struct {
        struct orc_event event;
        uint8_t clock[8];
    } whole;
    memset(&whole, 0, sizeof whole);
    whole.event = *e;
    memcpy(whole.clock, w->clocks[w->depth], 8);
    struct orc_key key = orc_key_of(&whole, sizeof whole);
    w->traces[w->depth + 1].a = w->traces[w->depth].a + key.a;
    w->traces[w->depth + 1].b = w->traces[w->depth].b + key.b;
    w->depth++;
    return end;
}

void orc_walk_back(struct orc_walk *w)
{
    w->depth--;
    w->count[w->events[w->depth].thread]--;
}
