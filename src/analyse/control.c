/* Post-dominators (Cooper, Harvey and Kennedy, on the reversed graph) and control dependence
 * (Ferrante, Ottenstein and Warren): a block depends on a branch when one way out of the branch
 * always leads to the block and another may miss it. */
#include "analyse/cfg.h"

#include <stdlib.h>
#include <string.h>

/* One function; blocks by their number in it, `n` is the virtual exit. */
struct walk {
    struct hd_cfg *cfg;
    uint32_t first, n;
    uint32_t *order;  /* by block: its place in reverse post-order from the exit; exit: 0 */
    uint32_t *at;     /* block at that place */
    uint32_t *parent; /* post-dominator; UINT32_MAX: not known yet */
    bool *leads_out;  /* has an edge to the exit */
    uint32_t n_order;
};

static uint32_t common(const struct walk *w, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (w->order[a] > w->order[b])
            a = w->parent[a];
        while (w->order[b] > w->order[a])
            b = w->parent[b];
    }
    return a;
}

/* Post-order on reversed edges from `root`, appended to `at`. */
static void visit(struct walk *w, uint32_t root, uint32_t *stack, uint32_t *next)
{
    const struct hd_cfg *cfg = w->cfg;
    uint32_t n = 0;
    stack[n++] = root;
    next[root] = 0;
    while (n) {
        uint32_t b = stack[n - 1], id = w->first + b;
        if (cfg->pred_first[id] + next[b] == cfg->pred_first[id + 1]) {
            w->at[w->n_order++] = b;
            n--;
            continue;
        }
        uint32_t to = cfg->pred[cfg->pred_first[id] + next[b]++] - w->first;
        if (next[to] == UINT32_MAX) {
            next[to] = 0;
            stack[n++] = to;
        }
    }
}

/* Blocks from which no exit is reached get an edge to it, one per loop without a way out. */
static void order_blocks(struct walk *w)
{
    const struct hd_cfg *cfg = w->cfg;
    uint32_t *stack = hd_alloc((w->n + 1) * sizeof *stack);
    uint32_t *next = hd_alloc((w->n + 1) * sizeof *next);
    memset(next, 0xff, (w->n + 1) * sizeof *next);
    for (uint32_t b = 0; b < w->n; b++)
        if (cfg->succ_first[w->first + b] == cfg->succ_first[w->first + b + 1]) {
            w->leads_out[b] = true;
            visit(w, b, stack, next);
        }
    for (uint32_t b = w->n; b-- > 0;)
        if (next[b] == UINT32_MAX) {
            w->leads_out[b] = true;
            visit(w, b, stack, next);
        }
    w->order[w->n] = 0;
    for (uint32_t i = 0; i < w->n_order; i++)
        w->order[w->at[i]] = w->n_order - i;
    free(stack);
    free(next);
}

static void find_parents(struct walk *w)
{
    const struct hd_cfg *cfg = w->cfg;
    memset(w->parent, 0xff, w->n * sizeof *w->parent);
    w->parent[w->n] = w->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = w->n_order; i-- > 0;) {
            uint32_t b = w->at[i], id = w->first + b;
            uint32_t found = w->leads_out[b] ? w->n : UINT32_MAX;
            for (uint32_t e = cfg->succ_first[id]; e < cfg->succ_first[id + 1]; e++) {
                uint32_t to = cfg->succ[e] - w->first;
                if (w->parent[to] == UINT32_MAX)
                    continue;
                found = found == UINT32_MAX ? to : common(w, found, to);
            }
            if (found != w->parent[b]) {
                w->parent[b] = found;
                changed = true;
            }
        }
    }
}

struct pairs {
    uint64_t *items; /* block << 32 | what it depends on */
    size_t n, room;
};

static void add_pair(struct pairs *pairs, uint32_t block, uint32_t on)
{
    if (pairs->n == pairs->room) {
        pairs->room = pairs->room ? pairs->room * 2 : 256;
        pairs->items = hd_realloc(pairs->items, pairs->room * sizeof *pairs->items);
    }
    pairs->items[pairs->n++] = (uint64_t)block << 32 | on;
}

static void find_controls(struct walk *w, struct pairs *pairs)
{
    const struct hd_cfg *cfg = w->cfg;
    for (uint32_t b = 0; b < w->n; b++) {
        uint32_t id = w->first + b;
        if (cfg->succ_first[id + 1] - cfg->succ_first[id] + w->leads_out[b] < 2)
            continue;
        for (uint32_t e = cfg->succ_first[id]; e < cfg->succ_first[id + 1]; e++)
            for (uint32_t to = cfg->succ[e] - w->first; to != w->parent[b] && to != w->n;
                 to = w->parent[to])
                add_pair(pairs, w->first + to, id);
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void keep_controls(struct hd_cfg *cfg, struct pairs *pairs)
{
    uint32_t n = 0;
    if (pairs->n)
        qsort(pairs->items, pairs->n, sizeof *pairs->items, by_value);
    cfg->control_first = hd_alloc((cfg->code->n_blocks + 2) * sizeof *cfg->control_first);
    cfg->controls = hd_alloc((pairs->n + 1) * sizeof *cfg->controls);
    uint32_t block = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        if (i && pairs->items[i] == pairs->items[i - 1])
            continue;
        while (block < (uint32_t)(pairs->items[i] >> 32))
            cfg->control_first[++block] = n;
        cfg->controls[n++] = (uint32_t)pairs->items[i];
    }
    while (block <= cfg->code->n_blocks)
        cfg->control_first[++block] = n;
    free(pairs->items);
}

void hd_cfg_find_dependence(struct hd_cfg *cfg)
{
    const struct hd_code *code = cfg->code;
    struct pairs pairs = { 0 };
    cfg->post_dominator = hd_alloc((code->n_blocks + 1) * sizeof *cfg->post_dominator);
    for (uint32_t f = 0; f < code->n_functions; f++) {
        uint32_t first = code->functions[f].first_block;
        struct walk w = { .cfg = cfg, .first = first, .n = code->functions[f].end_block - first };
        if (w.n == 0)
            continue;
        w.order = hd_alloc((w.n + 1) * sizeof *w.order);
        w.at = hd_alloc((w.n + 1) * sizeof *w.at);
        w.parent = hd_alloc((w.n + 1) * sizeof *w.parent);
        w.leads_out = hd_alloc(w.n + 1);
        order_blocks(&w);
        find_parents(&w);
        find_controls(&w, &pairs);
        for (uint32_t b = 0; b < w.n; b++)
            cfg->post_dominator[first + b] = w.parent[b] == w.n ? HD_EXIT_BLOCK
                                                                : first + w.parent[b];
        free(w.order);
        free(w.at);
        free(w.parent);
        free(w.leads_out);
    }
    keep_controls(cfg, &pairs);
}
