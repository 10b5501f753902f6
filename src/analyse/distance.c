#include "analyse/distance.h"

#include "analyse/slice.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_steps far = { HD_FAR, HD_FAR }, here = { 0, 0 };

static uint32_t plus(uint32_t a, uint32_t b)
{
    return a == HD_FAR || b == HD_FAR || a + b < a ? HD_FAR : a + b;
}

static struct hd_steps sum(struct hd_steps a, struct hd_steps b)
{
    return (struct hd_steps){ plus(a.actions, b.actions), plus(a.blocks, b.blocks) };
}

static struct hd_steps least(struct hd_steps a, struct hd_steps b)
{
    return (struct hd_steps){ a.actions < b.actions ? a.actions : b.actions,
                              a.blocks < b.blocks ? a.blocks : b.blocks };
}

static bool same(struct hd_steps a, struct hd_steps b)
{
    return a.actions == b.actions && a.blocks == b.blocks;
}

struct finder {
    struct hd_distance *d;
    const struct hd_facts *facts;
    bool *target, *visible; /* by point */
    uint32_t *work, n_work;
    bool *queued; /* by function */
};

/* The cost of a call until it returns, and until it has reached the target. */
static void call_costs(const struct finder *f, uint32_t point, struct hd_steps *back,
                       struct hd_steps *inside)
{
    const struct hd_code *code = &f->facts->code;
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_edges(&f->facts->points_to, point, &n);
    bool any = false;
    *back = f->facts->points_to.calls_unknown[point] ? here : far;
    *inside = far;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t function = edges[i].function;
        if (edges[i].kind == HD_EDGE_LATER)
            continue;
        if (!hd_code_is_defined(code, function)) {
            if (edges[i].kind == HD_EDGE_SPAWN)
                continue;
            *back = here;
            any = true;
            continue;
        }
        uint32_t first = code->functions[function].first;
        struct hd_steps enter = { edges[i].kind == HD_EDGE_SPAWN,
                                  1 }; /* a thread begins: an action */
        *inside = least(*inside, sum(enter, f->d->within[first]));
        if (edges[i].kind == HD_EDGE_CALL) {
            *back = least(*back, sum(enter, f->d->leave[first]));
            any = true;
        }
    }
    if (!any && !f->facts->points_to.calls_unknown[point])
        *back = here; /* no callee is known: as if it returned at once */
}

static bool set(struct hd_steps *old, struct hd_steps now)
{
    now = least(*old, now);
    if (same(*old, now))
        return false;
    *old = now;
    return true;
}

static bool scan_block(struct finder *f, uint32_t b)
{
    const struct hd_code_block *block = &f->facts->code.blocks[b];
    const struct hd_cfg *cfg = &f->facts->cfg;
    struct hd_steps within = far, leave = far, next = { 0, 1 }, back, inside;
    uint32_t end = block->end;
    bool changed = false;
    for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++) {
        uint32_t first = f->facts->code.blocks[cfg->succ[e]].first;
        within = least(within, sum(next, f->d->within[first]));
        leave = least(leave, sum(next, f->d->leave[first]));
    }
    if (cfg->cut[b] != HD_NO_POINT)
        end = cfg->cut[b] + 1; /* what follows is not reached */
    else if (cfg->succ_first[b] == cfg->succ_first[b + 1])
        leave = here;
    for (uint32_t i = end; i-- > block->first;) {
        if (hd_code_is_call(f->facts->code.insts[i])) {
            call_costs(f, i, &back, &inside);
            within = least(inside, sum(back, within));
            leave = sum(back, leave);
        }
        struct hd_steps own = { f->visible[i], 0 };
        within = f->target[i] ? here : sum(own, within);
        leave = sum(own, leave);
        changed |= set(&f->d->within[i], within);
        changed |= set(&f->d->leave[i], leave);
    }
    return changed;
}

static void push(struct finder *f, uint32_t function)
{
    if (f->queued[function] || !hd_code_is_defined(&f->facts->code, function))
        return;
    f->queued[function] = true;
    f->work[f->n_work++] = function;
}

static void run(struct finder *f)
{
    const struct hd_code *code = &f->facts->code;
    for (uint32_t i = 0; i < code->n_functions; i++)
        push(f, i);
    while (f->n_work) {
        uint32_t function = f->work[--f->n_work], n;
        const struct hd_code_function *fn = &code->functions[function];
        f->queued[function] = false;
        struct hd_steps within = f->d->within[fn->first], leave = f->d->leave[fn->first];
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t b = fn->end_block; b-- > fn->first_block;)
                changed |= scan_block(f, b);
        }
        if (same(within, f->d->within[fn->first]) && same(leave, f->d->leave[fn->first]))
            continue;
        const struct hd_edge *edges = hd_points_to_callers(&f->facts->points_to, function, &n);
        for (uint32_t i = 0; i < n; i++)
            if (edges[i].point != HD_NO_POINT)
                push(f, hd_code_function_of(code, edges[i].point));
    }
}

void hd_distance_init(struct hd_distance *d, const struct hd_facts *facts,
                      const uint32_t *targets, uint32_t n)
{
    const struct hd_code *code = &facts->code;
    size_t bytes = (code->n_insts + 1) * sizeof(struct hd_steps);
    *d = (struct hd_distance){ .facts = facts };
    d->within = hd_alloc(bytes);
    d->leave = hd_alloc(bytes);
    memset(d->within, 0xff, bytes);
    memset(d->leave, 0xff, bytes);
    struct finder f = { .d = d, .facts = facts };
    f.target = hd_alloc(code->n_insts + 1);
    f.visible = hd_alloc(code->n_insts + 1);
    f.queued = hd_alloc(code->n_functions + 1);
    f.work = hd_alloc((code->n_functions + 1) * sizeof *f.work);
    for (uint32_t i = 0; i < n; i++)
        f.target[targets[i]] = true;
    for (uint32_t i = 0; i < code->n_insts; i++)
        f.visible[i] = hd_slice_is_visible(facts, i);
    run(&f);
    free(f.target);
    free(f.visible);
    free(f.queued);
    free(f.work);
}

void hd_distance_release(struct hd_distance *d)
{
    free(d->within);
    free(d->leave);
}

struct hd_steps hd_distance_of(const struct hd_distance *d, const uint32_t *stack, uint32_t n)
{
    struct hd_steps best = far, so_far = here;
    for (uint32_t i = 0; i < n; i++) {
        best = least(best, sum(so_far, d->within[stack[i]]));
        so_far = sum(so_far, d->leave[stack[i]]);
    }
    return best;
}
