#include "race.h"

#include <string.h>

struct access {
    uint32_t begin, end;
    bool writes, atomic;
    uint16_t stmt;
};

void orc_races_add(struct orc_races *r, uint32_t a, uint32_t b)
{
    r->pair[a][b / 8] |= (uint8_t)(1u << b % 8);
    r->pair[b][a / 8] |= (uint8_t)(1u << a % 8);
}

bool orc_races_has(const struct orc_races *r, uint32_t a, uint32_t b)
{
    return r->pair[a][b / 8] >> b % 8 & 1;
}

void orc_races_join(struct orc_races *r, const struct orc_races *more)
{
    for (uint32_t a = 0; a < ORC_MAX_STMTS; a++)
        for (uint32_t i = 0; i < sizeof r->pair[a]; i++)
            r->pair[a][i] |= more->pair[a][i];
}

bool orc_races_any(const struct orc_races *r)
{
    static const struct orc_races none;
    return memcmp(r, &none, sizeof none) != 0;
}

/* Would the compare-exchange succeed?  Tried on a copy of the state. */
static bool succeeds(const struct orc_lowered *m, const struct orc_state *s, uint32_t t)
{
    struct orc_state next = *s;
    struct orc_event event;
    uint16_t stmt;
    orc_state_step(m, &next, t, 0, &event, &stmt);
    return event.touch[0].writes;
}

/* What the thread is about to do to memory: how many of out[]. */
static int accesses(const struct orc_lowered *m, const struct orc_state *s, uint32_t t,
                    struct access out[2])
{
    if (s->life[t] != ORC_LIVE)
        return 0;
    const struct orc_code *c = &m->code[t][s->pc[t]];
    if (c->stmt == ORC_NONE)
        return 0; /* main leaves its locals where nobody else looks */
    uint8_t kind = m->program->stmts[c->stmt].kind;
    out[0] = (struct access){ .begin = c->offset,
                              .end = (uint32_t)c->offset + c->size,
                              .writes = c->op != ORC_V_READ,
                              .atomic = kind >= ORC_ATOMIC_LOAD && kind <= ORC_ATOMIC_CAS,
                              .stmt = c->stmt };
    switch (c->op) {
    case ORC_V_READ:
    case ORC_V_WRITE:
    case ORC_V_FILL:
    case ORC_V_RMW:
        return 1;
    case ORC_V_CAS:
        out[0].writes = succeeds(m, s, t);
        return 1;
    case ORC_V_COPY:
        out[1] = out[0];
        out[1].begin = c->offset2;
        out[1].end = (uint32_t)c->offset2 + c->size;
        out[1].writes = false;
        return 2;
    default:
        return 0;
    }
}

void orc_races_of(const struct orc_lowered *m, const struct orc_state *s, struct orc_races *r)
{
    if (s->inside)
        return; /* nobody else can move */
    struct access a[ORC_MAX_THREADS][2];
    int n[ORC_MAX_THREADS];
    for (uint32_t t = 0; t < m->program->n_threads; t++) {
        n[t] = accesses(m, s, t, a[t]);
        for (uint32_t u = 0; u < t; u++)
            for (int i = 0; i < n[t]; i++)
                for (int j = 0; j < n[u]; j++) {
                    const struct access *x = &a[t][i], *y = &a[u][j];
                    if ((x->writes || y->writes) && !(x->atomic && y->atomic) &&
                        x->begin < y->end && y->begin < x->end)
                        orc_races_add(r, x->stmt, y->stmt);
                }
    }
}
