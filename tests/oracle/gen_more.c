/* Read-write locks, semaphores, timed waits, a barrier, choices, and a main that others outlive. */
#include "gen_parts.h"

/* Half of the programs have none of it; one kind or two are enough for the others. */
uint32_t orc_gen_draw_more(struct gen *g)
{
    uint32_t more = 0;
    if (orc_rng_percent(&g->extra, 50))
        return 0;
    for (uint32_t n = 1 + orc_rng_below(&g->extra, 2); n > 0; n--)
        more |= 1u << orc_rng_below(&g->extra, 6);
    return more;
}

void orc_gen_more_objects(struct gen *g)
{
    struct orc_program *p = g->p;
    if (g->more & ORC_MORE_RWLOCKS)
        p->n_rwlocks = 1 + orc_rng_below(&g->extra, 2);
    if (g->more & ORC_MORE_SEMS)
        p->n_sems = 1 + orc_rng_below(&g->extra, 2);
    for (uint32_t i = 0; i < p->n_sems; i++)
        p->sem_value[i] = (uint8_t)orc_rng_below(&g->extra, 3);
    if (g->more & ORC_MORE_BARRIER)
        p->barrier = (uint8_t)(2 + orc_rng_below(&g->extra, p->n_threads - 1));
}

/* What an attempt leads to.  *held counts what it takes (NULL: it is not given back by who
 * took it); the thread does not leave with it. */
static void add_branches(struct gen *g, struct orc_stmt *s, uint32_t n, uint8_t *held,
                         enum orc_stmt_kind release)
{
    uint8_t object = s->object;
    struct block body = { ORC_NONE, ORC_NONE };
    bool leaves = g->leaves;
    g->leaves = false;
    if (held)
        ++*held;
    orc_gen_append(g, &body, orc_gen_block(g, 1 + orc_rng_below(&g->extra, n)));
    struct orc_stmt *give = release == ORC_YIELD ? NULL : orc_gen_add(g, &body, release);
    if (give)
        give->object = object;
    if (held)
        --*held;
    s->body = body.first;
    if (orc_rng_percent(&g->extra, 50))
        s->other = orc_gen_block(g, 1);
    g->leaves = leaves;
}

static void add_rwlocked(struct gen *g, struct block *b, uint32_t n)
{
    static const uint8_t kinds[] = { ORC_RDLOCK,    ORC_RDLOCK,      ORC_RDLOCK,
                                     ORC_WRLOCK,    ORC_WRLOCK,      ORC_TRYRDLOCK,
                                     ORC_TRYWRLOCK, ORC_TIMEDRDLOCK, ORC_TIMEDWRLOCK };
    uint8_t lock = (uint8_t)orc_rng_below(&g->extra, g->p->n_rwlocks);
    uint32_t r = orc_rng_below(&g->extra, g->more & ORC_MORE_TIMED ? 9 : 7);
    if (g->held_rw[lock])
        return;
    struct orc_stmt *s = orc_gen_add(g, b, kinds[r]);
    if (!s)
        return;
    s->object = lock;
    if (r > 4) {
        add_branches(g, s, n, &g->held_rw[lock], ORC_RWUNLOCK);
        return;
    }
    g->held_rw[lock] = 1;
    orc_gen_append(g, b, orc_gen_block(g, 1 + orc_rng_below(&g->extra, n)));
    s = orc_gen_add(g, b, ORC_RWUNLOCK);
    if (s)
        s->object = lock;
    g->held_rw[lock] = 0;
}

static void add_semaphore(struct gen *g, struct block *b, uint32_t n)
{
    static const uint8_t kinds[] = { ORC_SEM_WAIT, ORC_SEM_WAIT,    ORC_SEM_POST,
                                     ORC_SEM_POST, ORC_SEM_TRYWAIT, ORC_SEM_TIMEDWAIT };
    uint32_t r = orc_rng_below(&g->extra, g->more & ORC_MORE_TIMED ? 6 : 5);
    struct orc_stmt *s = orc_gen_add(g, b, kinds[r]);
    if (!s)
        return;
    s->object = (uint8_t)orc_rng_below(&g->extra, g->p->n_sems);
    if (r > 3)
        add_branches(g, s, n, NULL, orc_rng_percent(&g->extra, 70) ? ORC_SEM_POST : ORC_YIELD);
}

/* A wait needs its mutex held once; a lock needs it not held. */
static void add_timed(struct gen *g, struct block *b, uint32_t n)
{
    for (uint32_t c = 0; c < g->p->n_conds; c++) {
        uint8_t mutex = g->p->cond_mutex[c];
        if (g->held[mutex] != 1 || orc_rng_percent(&g->extra, 20))
            continue;
        struct orc_stmt *s = orc_gen_add(g, b, ORC_TIMEDWAIT);
        if (!s)
            return;
        s->object = (uint8_t)c;
        s->object2 = mutex;
        return;
    }
    uint32_t mutex = g->p->n_mutexes ? orc_rng_below(&g->extra, g->p->n_mutexes) : 0;
    if (!g->p->n_mutexes || g->held[mutex])
        return;
    struct orc_stmt *s = orc_gen_add(g, b, ORC_TIMEDLOCK);
    if (!s)
        return;
    s->object = (uint8_t)mutex;
    add_branches(g, s, n, &g->held[mutex], ORC_UNLOCK);
}

void orc_gen_more(struct gen *g, struct block *b, uint32_t n)
{
    uint32_t kind = 1u << orc_rng_below(&g->extra, 5);
    bool deep = g->depth >= 3;
    while (!(g->more & kind))
        if ((kind <<= 1) > ORC_MORE_EXIT)
            kind = 1;
    if (kind == ORC_MORE_RWLOCKS && !deep)
        add_rwlocked(g, b, n);
    else if (kind == ORC_MORE_SEMS && !deep)
        add_semaphore(g, b, n);
    else if (kind == ORC_MORE_TIMED && !deep)
        add_timed(g, b, n);
    else if (kind == ORC_MORE_BARRIER)
        orc_gen_add(g, b, ORC_BARRIER);
    else if (kind == ORC_MORE_CHOOSE) {
        struct orc_stmt *s = orc_gen_add(g, b, ORC_CHOOSE);
        if (s)
            s->k = 2 + orc_rng_below(&g->extra, 2);
    }
}

/* Nothing in it waits for others. */
void orc_gen_section(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, ORC_SECTION);
    if (!s)
        return;
    struct block body = { ORC_NONE, ORC_NONE };
    g->p->sections = true;
    for (uint32_t n = 1 + below(g, 3); n > 0; n--) {
        uint32_t r = below(g, 10);
        if (r < 3) {
            orc_gen_assume(g, &body);
            g->p->undoes = true;
        } else if (r < 5) {
            struct orc_stmt *c = orc_gen_add(g, &body, ORC_CHOOSE);
            if (c)
                c->k = 2;
        } else
            orc_gen_access(g, &body);
    }
    s->body = body.first;
}

/* Locals are zero at first, and what is written is small: a comparison that fails now and then. */
void orc_gen_assume(struct gen *g, struct block *b)
{
    uint32_t reads = below(g, 3);
    struct orc_stmt *s = reads ? orc_gen_add(g, b, ORC_READ) : NULL;
    uint8_t local = s ? s->local : (uint8_t)below(g, ORC_MAX_LOCALS);
    if (s)
        s->ref = orc_gen_plain(g);
    s = orc_gen_add(g, b, ORC_ASSUME);
    if (!s)
        return;
    s->local = local;
    s->cmp = percent(g, 70) ? ORC_NE : ORC_EQ;
    s->k = s->cmp == ORC_EQ ? below(g, 2) : below(g, 3);
}
