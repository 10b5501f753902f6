#include "gen_parts.h"

#include <stdlib.h>
#include <string.h>

struct orc_stmt *orc_gen_add(struct gen *g, struct block *b, enum orc_stmt_kind kind)
{
    if (g->p->n_stmts == ORC_MAX_STMTS)
        return NULL;
    uint16_t i = (uint16_t)g->p->n_stmts++;
    struct orc_stmt *s = &g->p->stmts[i];
    memset(s, 0, sizeof *s);
    s->kind = (uint8_t)kind;
    s->body = s->other = s->next = ORC_NONE;
    s->local = (uint8_t)below(g, ORC_MAX_LOCALS);
    s->cmp = (uint8_t)below(g, 4);
    s->k = below(g, 3);
    if (s->cmp == ORC_LT || s->cmp == ORC_GE)
        s->k++;
    if (b->first == ORC_NONE)
        b->first = i;
    else
        g->p->stmts[b->last].next = i;
    b->last = i;
    return s;
}

/* A plain variable of the kind; n_plain when there is none. */
static uint32_t var_of(struct gen *g, enum orc_var kind)
{
    uint32_t first = below(g, g->n_plain);
    for (uint32_t i = 0; i < g->n_plain; i++) {
        uint32_t v = (first + i) % g->n_plain;
        if (g->p->vars[v] == kind)
            return v;
    }
    return g->n_plain;
}

struct orc_ref orc_gen_plain(struct gen *g)
{
    struct orc_ref r;
    do
        r = (struct orc_ref){ .var = (uint8_t)below(g, g->n_plain) };
    while (g->p->vars[r.var] == ORC_BITS);
    uint32_t size = orc_var_size(g->p->vars[r.var]);
    if (g->p->vars[r.var] == ORC_MIX) {
        if (percent(g, 15)) {
            r.at = 3;
            r.size = 2;
            return r;
        }
        size = 1u << below(g, 4);
        r.at = (uint8_t)(size * below(g, 8 / size));
    }
    r.size = (uint8_t)size;
    return r;
}

/* A plain variable that can be accessed atomically; n_plain when there is none. */
static uint32_t mixed_var(struct gen *g)
{
    uint32_t v = g->p->packed ? g->n_plain : var_of(g, ORC_INT);
    return v == g->n_plain && !g->p->packed ? var_of(g, ORC_CHAR) : v;
}

static struct orc_ref atomic_ref(struct gen *g)
{
    uint32_t v = mixed_var(g), n = g->p->n_vars - g->n_plain;
    if (v == g->n_plain || (n && percent(g, 60)))
        v = g->n_plain + below(g, n);
    return (struct orc_ref){ (uint8_t)v, 0, (uint8_t)orc_var_size(g->p->vars[v]) };
}

static struct orc_expr expression(struct gen *g)
{
    struct orc_expr e = { .a = (uint8_t)below(g, ORC_MAX_LOCALS),
                          .b = (uint8_t)below(g, ORC_MAX_LOCALS),
                          .k = 1 + below(g, 3) };
    uint32_t r = below(g, 10);
    e.kind = (uint8_t)(r < 5   ? ORC_CONST
                       : r < 7 ? ORC_ADD
                       : r < 8 ? ORC_LOCAL
                       : r < 9 ? ORC_XOR
                               : ORC_TWICE);
    return e;
}

void orc_gen_access(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, ORC_READ);
    if (!s)
        return;
    s->ref = orc_gen_plain(g);
    uint32_t r = below(g, 10);
    if (r < 5 || (g->invariants && r < 8)) {
        s->kind = ORC_WRITE;
        s->expr = expression(g);
    } else if (r < 8) {
        s->kind = ORC_UPDATE;
        s->ref2 = percent(g, 60) ? s->ref : orc_gen_plain(g);
        s->k = 1 + below(g, 2);
    }
}

/* Bit-fields, and unions as a whole; an ordinary access where there are none. */
static void add_block_access(struct gen *g, struct block *b)
{
    uint32_t bits = var_of(g, ORC_BITS), mix = var_of(g, ORC_MIX);
    bool whole = mix < g->n_plain && (bits == g->n_plain || percent(g, 50));
    uint32_t var = whole ? mix : bits;
    if (var == g->n_plain || (whole && percent(g, 60))) {
        orc_gen_access(g, b);
        return;
    }
    struct orc_stmt *s = orc_gen_add(g, b, ORC_READ);
    if (!s)
        return;
    s->ref = (struct orc_ref){ (uint8_t)var, 0, (uint8_t)orc_var_size(g->p->vars[var]) };
    s->ref2 = (struct orc_ref){ (uint8_t)var_of(g, ORC_MIX), 0, 8 };
    s->expr = expression(g);
    s->object = (uint8_t)below(g, 2);
    if (!whole)
        s->kind = percent(g, 70) ? ORC_BITS_WRITE : ORC_BITS_READ;
    else
        s->kind = s->ref2.var != var && percent(g, 70) ? ORC_COPY : ORC_FILL;
}

void orc_gen_atomic(struct gen *g, struct block *b, enum orc_stmt_kind kind)
{
    struct orc_stmt *s = orc_gen_add(g, b, kind);
    if (!s)
        return;
    s->ref = atomic_ref(g);
    s->expr = expression(g);
    s->rmw = (uint8_t)below(g, 5);
    s->k = 1 + below(g, 3);
    if (g->p->finer & ORC_FINER_RMW && percent(g, 60)) {
        s->kind = ORC_ATOMIC_RMW;
        s->rmw = (uint8_t)(percent(g, 70) ? below(g, 2) : below(g, 5));
        s->blind = 1;
    }
    if (g->p->finer & ORC_FINER_OBSERVERS && percent(g, 50)) {
        s->kind = ORC_ATOMIC_STORE;
        s->blind = 0;
    }
    if (s->kind == ORC_ATOMIC_CAS && percent(g, 60))
        s->expr = (struct orc_expr){ .kind = ORC_CONST, .k = below(g, 3) };
    if (g->orders)
        orc_gen_order(g, s);
}

static void add_atomic(struct gen *g, struct block *b)
{
    static const uint8_t kinds[] = { ORC_ATOMIC_LOAD, ORC_ATOMIC_STORE, ORC_ATOMIC_RMW,
                                     ORC_ATOMIC_RMW,  ORC_ATOMIC_CAS,   ORC_ATOMIC_CAS };
    orc_gen_atomic(g, b, kinds[below(g, sizeof kinds)]);
}

static uint32_t blocks_part(struct gen *g, uint32_t n) { return 1 + below(g, n > 1 ? n : 1); }

/* Inside [a mutex held]: waits, or the same mutex again where its kind allows it. */
static void add_under_lock(struct gen *g, struct block *b, uint32_t mutex)
{
    for (uint32_t c = 0; c < g->p->n_conds; c++) {
        if (g->p->cond_mutex[c] != mutex || g->held[mutex] != 1 || !percent(g, 60))
            continue;
        struct orc_stmt *s = orc_gen_add(g, b, percent(g, 55) ? ORC_WAIT_LOOP : ORC_WAIT);
        if (!s)
            return;
        s->object = (uint8_t)c;
        s->object2 = (uint8_t)mutex;
        s->ref = orc_gen_plain(g);
        s->k2 = 1 + below(g, 2);
        return;
    }
    if (g->p->mutexes[mutex] == ORC_ERRORCHECK && percent(g, 15)) {
        struct orc_stmt *s = orc_gen_add(g, b, ORC_LOCK_AGAIN);
        if (s)
            s->object = (uint8_t)mutex;
    }
}

void orc_gen_append(struct gen *g, struct block *b, uint16_t first)
{
    if (first == ORC_NONE)
        return;
    if (b->first == ORC_NONE)
        b->first = first;
    else
        g->p->stmts[b->last].next = first;
    while (g->p->stmts[first].next != ORC_NONE)
        first = g->p->stmts[first].next;
    b->last = first;
}

static void add_unlock(struct gen *g, struct block *b, uint32_t mutex)
{
    if (g->leaves && percent(g, 20)) {
        g->left_locked = true;
        return; /* held[] stays: the thread goes on with it */
    }
    struct orc_stmt *s = orc_gen_add(g, b, ORC_UNLOCK);
    if (s)
        s->object = (uint8_t)mutex;
    g->held[mutex]--;
}

static void add_locked(struct gen *g, struct block *b, uint32_t n)
{
    uint32_t mutex = below(g, g->p->n_mutexes);
    bool mine = g->held[mutex] > 0;
    if (mine && g->p->mutexes[mutex] != ORC_RECURSIVE)
        return;
    struct orc_stmt *s = orc_gen_add(g, b, ORC_LOCK);
    if (!s)
        return;
    s->object = (uint8_t)mutex;
    g->held[mutex]++;
    add_under_lock(g, b, mutex);
    orc_gen_append(g, b, orc_gen_block(g, blocks_part(g, n)));
    add_unlock(g, b, mutex);
}

static void add_trylock(struct gen *g, struct block *b, uint32_t n)
{
    uint32_t mutex = below(g, g->p->n_mutexes);
    struct orc_stmt *s = orc_gen_add(g, b, ORC_TRYLOCK);
    if (!s)
        return;
    s->object = (uint8_t)mutex;
    struct block body = { ORC_NONE, ORC_NONE };
    bool never = g->held[mutex] > 0 && g->p->mutexes[mutex] != ORC_RECURSIVE;
    bool leaves = g->leaves;
    g->leaves = false; /* whether it is held after the branch must be known */
    if (!never) {
        g->held[mutex]++;
        orc_gen_append(g, &body, orc_gen_block(g, blocks_part(g, n)));
        add_unlock(g, &body, mutex);
    }
    s->body = body.first;
    if (percent(g, 60))
        s->other = orc_gen_block(g, 1);
    g->leaves = leaves;
}

static void add_signal(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, percent(g, 65) ? ORC_SIGNAL : ORC_BROADCAST);
    if (s)
        s->object = (uint8_t)below(g, g->p->n_conds);
}

static void add_misuse(struct gen *g, struct block *b)
{
    uint32_t mutex = below(g, g->p->n_mutexes);
    if (g->p->mutexes[mutex] != ORC_NORMAL)
        return;
    struct orc_stmt *s = orc_gen_add(g, b, g->held[mutex] ? ORC_LOCK : ORC_UNLOCK);
    if (s)
        s->object = (uint8_t)mutex;
    g->misuse = false;
}

static void add_branch(struct gen *g, struct block *b, uint32_t n)
{
    struct orc_stmt *s = orc_gen_add(g, b, percent(g, 40) ? ORC_IF : ORC_IF_REF);
    if (!s)
        return;
    s->ref = orc_gen_plain(g);
    bool leaves = g->leaves;
    g->leaves = false;
    s->body = orc_gen_block(g, blocks_part(g, n));
    if (percent(g, 40))
        s->other = orc_gen_block(g, blocks_part(g, n));
    g->leaves = leaves;
}

static void add_loop(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, ORC_LOOP);
    if (!s)
        return;
    s->k = 2;
    bool leaves = g->leaves;
    g->leaves = false;
    g->loops++;
    s->body = orc_gen_block(g, 1);
    g->loops--;
    g->leaves = leaves;
}

static void add_check(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, percent(g, 60) ? ORC_ASSERT : ORC_SET);
    if (!s)
        return;
    s->expr = expression(g);
    if (s->kind == ORC_ASSERT &&
        percent(g, 85)) { /* locals are zero at first: it may well hold */
        s->cmp = ORC_NE;
        s->k = 1 + below(g, 3);
    }
}

static bool holds_any(const struct gen *g)
{
    for (uint32_t i = 0; i < g->p->n_mutexes; i++)
        if (g->held[i])
            return true;
    return false;
}

/* A read and an assertion about it: what a test of the program would look at. */
static void add_final_check(struct gen *g, struct block *b)
{
    struct orc_stmt *s = orc_gen_add(g, b, ORC_READ);
    if (!s)
        return;
    uint8_t local = s->local;
    s->ref = orc_gen_plain(g);
    s = orc_gen_add(g, b, ORC_ASSERT);
    if (!s)
        return;
    s->local = local;
    s->cmp = ORC_NE;
    if (g->breaks) {
        s->cmp = percent(g, 60) ? ORC_NE : ORC_EQ;
        s->k = below(g, 3);
    }
}

static void add_any(struct gen *g, struct block *b, uint32_t n)
{
    if (g->sections && percent(g, 30)) {
        orc_gen_section(g, b);
        return;
    }
    if (g->assumes && percent(g, 25)) {
        orc_gen_assume(g, b);
        return;
    }
    if (g->breaks && percent(g, 35)) {
        add_final_check(g, b);
        return;
    }
    if (g->invariants && percent(g, 55)) {
        orc_gen_access(g, b);
        return;
    }
    if (g->orders && percent(g, 60)) {
        orc_gen_ordered(g, b);
        return;
    }
    uint32_t r = below(g, 100);
    bool nest = g->depth < 3 && n > 1;
    bool atomics = g->n_plain < g->p->n_vars ||
                   (mixed_var(g) < g->n_plain && percent(g, g->careful ? 100 : 30));
    if (g->p->finer && atomics && percent(g, 50))
        add_atomic(g, b);
    else if (g->more && orc_rng_percent(&g->extra, 40))
        orc_gen_more(g, b, n);
    else if (g->misuse && r < 25)
        add_misuse(g, b);
    else if (r < 8 && nest)
        add_branch(g, b, n);
    else if (r < 11 && nest && g->loops == 0)
        add_loop(g, b);
    else if (r < 18)
        add_check(g, b);
    else if (r < 20)
        orc_gen_add(g, b, ORC_YIELD);
    else if (r < 50 && g->p->n_mutexes && g->depth < 3)
        r < 27 ? add_trylock(g, b, n) : add_locked(g, b, n);
    else if (r < 58 && g->p->n_conds)
        add_signal(g, b);
    else if (atomics && (r < 75 || (g->careful && !holds_any(g))))
        add_atomic(g, b);
    else if (r < 85)
        add_block_access(g, b);
    else
        orc_gen_access(g, b);
}

uint16_t orc_gen_block(struct gen *g, uint32_t n)
{
    struct block b = { ORC_NONE, ORC_NONE };
    g->depth++;
    for (uint32_t i = 0; i < n; i++)
        add_any(g, &b, n);
    g->depth--;
    return b.first;
}

struct children {
    uint32_t n;
    uint8_t ids[ORC_MAX_THREADS];
};

static void add_ends(struct gen *g, struct block *b, const struct children *kids, bool loose)
{
    bool backwards = percent(g, 25);
    for (uint32_t i = 0; i < kids->n; i++) {
        uint32_t r = loose ? below(g, 100) : 100;
        if (r < 35) {
            g->p->joins_all = false;
            continue;
        }
        struct orc_stmt *s = orc_gen_add(g, b, r < 50 ? ORC_DETACH : ORC_JOIN);
        if (!s)
            return;
        s->object = kids->ids[backwards ? kids->n - 1 - i : i];
        if (s->kind == ORC_DETACH)
            g->p->joins_all = false;
    }
}

/* A child that waits without asking: several of them make a signal choose. */
static void add_waiter(struct gen *g, struct block *b)
{
    uint8_t mutex = g->p->cond_mutex[0];
    struct orc_stmt *s = orc_gen_add(g, b, ORC_LOCK);
    if (s)
        s->object = mutex;
    s = orc_gen_add(g, b, ORC_WAIT);
    if (s)
        s->object2 = mutex;
    g->held[mutex]++;
    orc_gen_append(g, b, orc_gen_block(g, 1));
    add_unlock(g, b, mutex);
}

static void add_signals(struct gen *g, struct block *b)
{
    for (uint32_t n = 1 + below(g, 2); n > 0; n--)
        orc_gen_add(g, b, percent(g, 80) ? ORC_SIGNAL : ORC_BROADCAST);
}

static void make_thread(struct gen *g, uint32_t t, const struct children *kids, bool loose)
{
    struct block b = { ORC_NONE, ORC_NONE };
    bool works = t > 0 || g->p->n_threads == 2 || percent(g, 30);
    memset(g->held, 0, sizeof g->held);
    memset(g->held_rw, 0, sizeof g->held_rw);
    g->thread = t;
    g->depth = g->loops = 0;
    if (t == 0 && percent(g, 30))
        orc_gen_append(g, &b, orc_gen_block(g, 1 + below(g, 2)));
    for (uint32_t i = 0; i < kids->n; i++) {
        struct orc_stmt *s = orc_gen_add(g, &b, ORC_CREATE);
        if (s)
            s->object = kids->ids[i];
        if (percent(g, 10))
            orc_gen_append(g, &b, orc_gen_block(g, 1));
    }
    if (g->gathers)
        t == 0 || t == 3 ? add_signals(g, &b) : add_waiter(g, &b);
    else if (works)
        orc_gen_append(g, &b, orc_gen_block(g, 1 + below(g, g->size)));
    add_ends(g, &b, kids, loose);
    if (t == 0 && percent(g, 50))
        add_final_check(g, &b);
    g->p->body[t] = b.first;
}

static void make_objects(struct gen *g)
{
    static const uint8_t plain[] = { ORC_INT,   ORC_INT, ORC_INT, ORC_CHAR, ORC_CHAR,
                                     ORC_SHORT, ORC_MIX, ORC_MIX, ORC_BITS };
    struct orc_program *p = g->p;
    g->n_plain = percent(g, 60) ? 1 : 1 + below(g, 4);
    if (g->invariants)
        g->n_plain = 2 + below(g, 3);
    for (uint32_t i = 0; i < g->n_plain; i++)
        p->vars[i] = i == 1 && p->vars[0] == ORC_MIX ? ORC_MIX
                                                     : plain[below(g, sizeof plain - (i == 0))];
    p->n_vars = g->n_plain + (percent(g, 50) ? 1 + below(g, percent(g, 60) ? 1 : 3) : 0);
    if (g->orders)
        p->n_vars = (g->n_plain = 1 + below(g, 2)) + 1 + below(g, 2);
    if (p->finer && p->n_vars == g->n_plain && percent(g, 90))
        p->n_vars++;
    for (uint32_t i = g->n_plain; i < p->n_vars; i++)
        p->vars[i] = percent(g, 75) ? ORC_ATOMIC_INT : ORC_ATOMIC_CHAR;
    p->packed = p->n_vars == g->n_plain && percent(g, 30);
    if (p->packed && percent(g, 60)) { /* the union lies across two words */
        p->n_vars = g->n_plain = 2;
        p->vars[0] = ORC_CHAR;
        p->vars[1] = ORC_MIX;
    }
    p->n_mutexes = percent(g, 30) ? 0 : 1 + below(g, 2);
    for (uint32_t i = 0; i < p->n_mutexes; i++) {
        uint32_t r = below(g, 10);
        p->mutexes[i] = r < 6 ? ORC_NORMAL : r < 8 ? ORC_RECURSIVE : ORC_ERRORCHECK;
    }
    p->n_conds = p->n_mutexes && percent(g, 70) ? 1 + below(g, 2) : 0;
    for (uint32_t i = 0; i < p->n_conds; i++)
        p->cond_mutex[i] = (uint8_t)below(g, p->n_mutexes);
}

void orc_gen_program(struct gen *g, uint64_t seed, uint32_t n_threads,
                     const struct orc_limits *limits)
{
    struct orc_program *p = g->p;
    struct children kids[ORC_MAX_THREADS];
    memset(p, 0, sizeof *p);
    memset(kids, 0, sizeof kids);
    p->seed = seed;
    p->finer = limits->finer;
    p->n_threads = n_threads;
    g->invariants = limits->invariants;
    g->orders = limits->orders;
    if (g->orders)
        g->weak = 25 * below(g, 5);
    make_objects(g);
    orc_gen_more_objects(g);
    g->careful = percent(g, 50);
    g->leaves = percent(g, 6);
    g->misuse = percent(g, 4) && p->n_mutexes && !limits->no_misuse;
    g->breaks = limits->breaks;
    g->assumes = limits->assumes;
    g->sections = limits->sections;
    g->left_locked = false;
    g->gathers = n_threads > 2 && p->n_conds && percent(g, n_threads == 4 ? 70 : 25);
    p->joins_all = true;
    bool misuse = g->misuse;
    for (uint32_t t = 1; t < p->n_threads; t++) {
        uint32_t parent = percent(g, 85) ? 0 : below(g, t);
        kids[parent].ids[kids[parent].n++] = (uint8_t)t;
    }
    bool loose = percent(g, 15);
    for (uint32_t t = 0; t < p->n_threads; t++)
        make_thread(g, t, &kids[t], loose);
    for (uint32_t t = 1; t < p->n_threads; t++)
        p->exits[t] = percent(g, 20);
    p->exits[0] = g->more & ORC_MORE_EXIT;
    p->inits = percent(g, 40);
    p->destroys = p->inits && p->joins_all && !g->left_locked && !misuse;
}
