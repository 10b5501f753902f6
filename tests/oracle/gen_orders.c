/* Atomic accesses of all memory orders, fences, and the idioms that accesses of plain memory are
 * ordered by: what is written before a store of a flag is read where the flag was seen. */
#include "gen_parts.h"

/* An order that C allows for the statement. */
static uint8_t any_order(struct gen *g, uint8_t kind)
{
    static const uint8_t loads[] = { ORC_RELAXED, ORC_ACQUIRE };
    static const uint8_t stores[] = { ORC_RELAXED, ORC_RELEASE };
    static const uint8_t others[] = { ORC_RELAXED, ORC_ACQUIRE, ORC_RELEASE, ORC_ACQ_REL };
    if (kind == ORC_ATOMIC_LOAD)
        return loads[below(g, 2)];
    return kind == ORC_ATOMIC_STORE ? stores[below(g, 2)] : others[below(g, 4)];
}

/* The order that it needs to synchronise. */
static uint8_t right_order(struct gen *g, uint8_t kind)
{
    if (percent(g, 50))
        return ORC_SEQ_CST;
    return kind == ORC_ATOMIC_LOAD    ? ORC_ACQUIRE
           : kind == ORC_ATOMIC_STORE ? ORC_RELEASE
                                      : ORC_ACQ_REL;
}

void orc_gen_order(struct gen *g, struct orc_stmt *s)
{
    s->order = percent(g, g->weak) ? any_order(g, s->kind) : right_order(g, s->kind);
    s->order2 = s->kind != ORC_ATOMIC_CAS ? ORC_SEQ_CST
                : percent(g, g->weak)     ? any_order(g, ORC_ATOMIC_LOAD)
                                          : right_order(g, ORC_ATOMIC_LOAD);
}

static void add_fence(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, ORC_FENCE);
    if (s)
        orc_gen_order(g, s);
}

static void add_publication(struct gen *g, struct block *b)
{
    static const uint8_t kinds[] = { ORC_ATOMIC_STORE, ORC_ATOMIC_STORE, ORC_ATOMIC_RMW,
                                     ORC_ATOMIC_CAS };
    orc_gen_access(g, b);
    if (percent(g, 25))
        add_fence(g, b);
    orc_gen_atomic(g, b, kinds[below(g, sizeof kinds)]);
}

/* An atomic read and, where it saw something, an access. */
static void add_guarded(struct gen *g, struct block *b)
{
    static const uint8_t kinds[] = { ORC_ATOMIC_LOAD, ORC_ATOMIC_LOAD, ORC_ATOMIC_RMW,
                                     ORC_ATOMIC_CAS };
    orc_gen_atomic(g, b, kinds[below(g, sizeof kinds)]);
    if (b->first == ORC_NONE)
        return;
    uint8_t local = g->p->stmts[b->last].local;
    if (percent(g, 25))
        add_fence(g, b);
    struct orc_stmt *s = orc_gen_add(g, b, ORC_IF);
    if (!s)
        return;
    s->local = local;
    s->cmp = percent(g, 60) ? ORC_NE : ORC_EQ;
    s->k = s->cmp == ORC_NE ? 0 : 1 + below(g, 2);
    struct block body = { ORC_NONE, ORC_NONE };
    if (percent(g, 15))
        add_fence(g, &body);
    orc_gen_access(g, &body);
    s->body = body.first;
}

void orc_gen_ordered(struct gen *g, struct block *b)
{
    uint32_t r = below(g, 10);
    if (r < 4)
        add_publication(g, b);
    else if (r < 9)
        add_guarded(g, b);
    else
        add_fence(g, b);
}
