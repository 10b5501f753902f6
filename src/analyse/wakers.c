#include "analyse/wakers.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    struct hd_facts *facts;
    struct hd_site_wakers *of; /* by point */
    uint32_t *calls;           /* points that wake others, also by arriving at a barrier */
    uint32_t n_calls;
    uint32_t *bit;      /* by point: that of the call, 0: it is none */
    uint32_t *function; /* by function: calls that it may make */
    uint32_t *block;    /* by block: from its beginning on */
    uint32_t always;    /* what any thread may do at any time: handlers, destructors */
};

/* A call that may wait until others wake it: attempts and timed ones never wait for ever. */
static bool waits(const struct finder *f, uint32_t point)
{
    static const char *const names[] = { "pthread_cond_wait", "cnd_wait", "sem_wait",
                                         "pthread_barrier_wait" };
    uint8_t kind = f->facts->accesses.sync[point];
    if (kind != HD_SYNC_WAIT && kind != HD_SYNC_BLOCK)
        return false;
    const char *name = hd_code_callee_name(f->facts->code.insts[point]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A call that may wake others; what it calls may be one of several functions. */
static bool wakes(const struct finder *f, uint32_t point)
{
    uint32_t n;
    if (f->facts->accesses.sync[point] == HD_SYNC_NONE)
        return false;
    const struct hd_edge *edges = hd_points_to_edges(&f->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = f->facts->code.functions[edges[i].function].name;
        if (hd_sync_find(name).kind == HD_SYNC_WAKE || strcmp(name, "pthread_barrier_wait") == 0)
            return true;
    }
    return false;
}

/* The access of the call's own object, the first of its synchronisation. */
static const struct hd_mem_access *object_of(const struct finder *f, uint32_t point)
{
    const struct hd_accesses *a = &f->facts->accesses;
    for (uint32_t i = a->first[point]; i < a->first[point + 1]; i++)
        if (a->items[i].flags & HD_MEM_SYNC)
            return &a->items[i];
    return NULL;
}

static bool may_wake(const struct finder *f, uint32_t call, uint32_t wait)
{
    const struct hd_mem_access *a = object_of(f, call), *b = object_of(f, wait);
    return !a || !b || hd_accesses_meet(&f->facts->points_to, a, b);
}

/* Is all code known that could wake a thread, without jumps across functions? */
static bool all_here(const struct hd_facts *facts)
{
    const struct hd_entries *t = &facts->threads;
    bool here = !facts->points_to.open;
    for (uint32_t e = 0; e < t->n; e++)
        here = here && t->entries[e].function != HD_NO_POINT;
    for (uint32_t i = 0; here && i < facts->code.n_insts; i++)
        here = !facts->points_to.calls_unknown[i] &&
               !(hd_code_is_call(facts->code.insts[i]) &&
                 strstr(hd_code_callee_name(facts->code.insts[i]), "setjmp"));
    return here;
}

/* What the point itself adds: its own call, what the functions do that it calls or starts. */
static uint32_t of_point(const struct finder *f, uint32_t point)
{
    uint32_t n, mask = f->bit[point];
    if (!hd_code_is_call(f->facts->code.insts[point]))
        return mask;
    const struct hd_edge *edges = hd_points_to_edges(&f->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++)
        mask |= f->function[edges[i].function];
    return mask;
}

static void find_functions(struct finder *f)
{
    const struct hd_code *code = &f->facts->code;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = code->n_functions; k-- > 0;) {
            uint32_t mask = f->function[k];
            for (uint32_t i = code->functions[k].first; i < code->functions[k].end; i++)
                mask |= of_point(f, i);
            changed = changed || mask != f->function[k];
            f->function[k] = mask;
        }
    }
}

static uint32_t behind_block(const struct finder *f, uint32_t block)
{
    const struct hd_cfg *cfg = &f->facts->cfg;
    uint32_t mask = 0;
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
        mask |= f->block[cfg->succ[e]];
    return mask;
}

static void find_blocks(struct finder *f)
{
    const struct hd_code *code = &f->facts->code;
    for (uint32_t b = 0; b < code->n_blocks; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            f->block[b] |= of_point(f, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = code->n_blocks; b-- > 0;) {
            uint32_t mask = f->block[b] | behind_block(f, b);
            changed = changed || mask != f->block[b];
            f->block[b] = mask;
        }
    }
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        uint32_t mask = behind_block(f, b) | f->always;
        for (uint32_t i = code->blocks[b].end; i-- > code->blocks[b].first;) {
            mask |= of_point(f, i);
            f->of[i].ahead = mask;
        }
    }
}

/* Handlers and destructors, which run wherever a thread stands. */
static void find_always(struct finder *f)
{
    const struct hd_points_to *p = &f->facts->points_to;
    for (uint32_t k = 0; k < f->facts->code.n_functions; k++)
        if (p->called_from_outside[k])
            f->always |= f->function[k];
    for (uint32_t i = 0; i < p->n_edges; i++)
        if (p->edges[i].kind == HD_EDGE_LATER)
            f->always |= f->function[p->edges[i].function];
}

static void find_waits(struct finder *f)
{
    for (uint32_t i = 0; i < f->facts->code.n_insts; i++) {
        f->of[i].waits = waits(f, i);
        for (uint32_t k = 0; f->of[i].waits && k < f->n_calls; k++)
            if (may_wake(f, f->calls[k], i))
                f->of[i].by |= f->bit[f->calls[k]];
    }
}

void hd_wakers_init(struct hd_wakers *wakers, struct hd_facts *facts)
{
    const struct hd_code *code = &facts->code;
    struct finder f = { .facts = facts };
    wakers->of = f.of = hd_alloc((code->n_insts + 1) * sizeof *f.of);
    if (!all_here(facts))
        return; /* no call is one that is known to wait */
    f.calls = hd_alloc((code->n_insts + 1) * sizeof *f.calls);
    f.bit = hd_alloc((code->n_insts + 1) * sizeof *f.bit);
    f.function = hd_alloc((code->n_functions + 1) * sizeof *f.function);
    f.block = hd_alloc((code->n_blocks + 1) * sizeof *f.block);
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (wakes(&f, i)) {
            f.bit[i] = 1u << (f.n_calls < 31 ? f.n_calls : 31);
            f.calls[f.n_calls++] = i;
        }
    find_functions(&f);
    find_always(&f);
    find_blocks(&f);
    find_waits(&f);
    free(f.calls);
    free(f.bit);
    free(f.function);
    free(f.block);
}

void hd_wakers_release(struct hd_wakers *wakers) { free(wakers->of); }
