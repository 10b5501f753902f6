#include "analyse/cfg.h"

#include <stdlib.h>
#include <string.h>

static bool has_attribute(LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)-1, kind) != NULL;
}

static bool never_returns(LLVMValueRef function)
{
    static const char *const names[] = { "exit",       "_exit",        "_Exit",
                                         "quick_exit", "abort",        "longjmp",
                                         "_longjmp",   "siglongjmp",   "pthread_exit",
                                         "thrd_exit",  "__assert_fail" };
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return has_attribute(function, "noreturn");
}

bool hd_cfg_call_ends(const struct hd_cfg *cfg, const struct hd_points_to *p, uint32_t point)
{
    uint32_t n, ends = 0, calls = 0;
    const struct hd_edge *edges = hd_points_to_edges(p, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (edges[i].kind != HD_EDGE_CALL)
            continue;
        calls++;
        if (hd_code_is_defined(cfg->code, edges[i].function))
            ends += !cfg->returns[edges[i].function];
        else
            ends += never_returns(cfg->code->functions[edges[i].function].value);
    }
    return calls && ends == calls && !p->calls_unknown[point];
}

static void find_cuts(struct hd_cfg *cfg, const struct hd_points_to *p)
{
    const struct hd_code *code = cfg->code;
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        cfg->cut[b] = HD_NO_POINT;
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            if (hd_code_is_call(code->insts[i]) && LLVMIsACallInst(code->insts[i]) &&
                hd_cfg_call_ends(cfg, p, i)) {
                cfg->cut[b] = i;
                break;
            }
    }
}

static unsigned n_successors(const struct hd_cfg *cfg, uint32_t block)
{
    if (cfg->cut[block] != HD_NO_POINT)
        return 0;
    return LLVMGetNumSuccessors(cfg->code->insts[cfg->code->blocks[block].end - 1]);
}

static void link_blocks(struct hd_cfg *cfg)
{
    const struct hd_code *code = cfg->code;
    uint32_t n = 0;
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        cfg->succ_first[b] = n;
        n += n_successors(cfg, b);
    }
    cfg->succ_first[code->n_blocks] = n;
    cfg->succ = hd_realloc(cfg->succ, (n + 1) * sizeof *cfg->succ);
    cfg->pred = hd_realloc(cfg->pred, (n + 1) * sizeof *cfg->pred);
    memset(cfg->pred_first, 0, (code->n_blocks + 2) * sizeof *cfg->pred_first);
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        LLVMValueRef last = code->insts[code->blocks[b].end - 1];
        for (unsigned i = 0; i < cfg->succ_first[b + 1] - cfg->succ_first[b]; i++) {
            uint32_t to = hd_code_block(code, LLVMGetSuccessor(last, i));
            cfg->succ[cfg->succ_first[b] + i] = to;
            cfg->pred_first[to + 2]++;
        }
    }
    for (uint32_t b = 0; b < code->n_blocks; b++)
        cfg->pred_first[b + 2] += cfg->pred_first[b + 1];
    for (uint32_t b = 0; b < code->n_blocks; b++)
        for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++)
            cfg->pred[cfg->pred_first[cfg->succ[e] + 1]++] = b;
}

static void find_reached(struct hd_cfg *cfg)
{
    const struct hd_code *code = cfg->code;
    uint32_t *work = hd_alloc((code->n_blocks + 1) * sizeof *work);
    memset(cfg->reached, 0, code->n_blocks);
    for (uint32_t f = 0; f < code->n_functions; f++) {
        if (!hd_code_is_defined(code, f))
            continue;
        uint32_t n = 0;
        work[n++] = code->functions[f].first_block;
        cfg->reached[work[0]] = true;
        while (n) {
            uint32_t b = work[--n];
            for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++)
                if (!cfg->reached[cfg->succ[e]]) {
                    cfg->reached[cfg->succ[e]] = true;
                    work[n++] = cfg->succ[e];
                }
        }
    }
    free(work);
}

/* A resume hands an exception to a caller, which goes on somewhere: like a return. */
static bool leaves(const struct hd_cfg *cfg, uint32_t block)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(cfg->code->insts[cfg->code->blocks[block].end - 1]);
    return cfg->reached[block] && cfg->cut[block] == HD_NO_POINT &&
           (op == LLVMRet || op == LLVMResume);
}

/* Functions are assumed to return until they are seen not to, which may show the same of
 * others. */
static void find_flow(struct hd_cfg *cfg, const struct hd_points_to *p)
{
    const struct hd_code *code = cfg->code;
    bool *returns = hd_alloc(code->n_functions + 1);
    memset(cfg->returns, 1, code->n_functions);
    for (bool changed = true; changed;) {
        changed = false;
        find_cuts(cfg, p);
        link_blocks(cfg);
        find_reached(cfg);
        memset(returns, 0, code->n_functions);
        for (uint32_t b = 0; b < code->n_blocks; b++)
            returns[code->blocks[b].function] |= leaves(cfg, b);
        for (uint32_t f = 0; f < code->n_functions; f++) {
            bool now = !hd_code_is_defined(code, f) || returns[f];
            changed |= cfg->returns[f] && !now;
            cfg->returns[f] = now;
        }
    }
    free(returns);
}

/* ---- loops ---- */

/* Components of the blocks [first, end), by two passes (Kosaraju). */
static void find_loops(struct hd_cfg *cfg, uint32_t first, uint32_t end, uint32_t *work,
                       uint32_t *order, uint32_t *next, uint32_t *component)
{
    uint32_t n_order = 0;
    for (uint32_t root = first; root < end; root++) {
        uint32_t n = 0;
        if (next[root] != UINT32_MAX)
            continue;
        work[n++] = root;
        next[root] = cfg->succ_first[root];
        while (n) {
            uint32_t b = work[n - 1];
            if (next[b] == cfg->succ_first[b + 1]) {
                order[n_order++] = b;
                n--;
                continue;
            }
            uint32_t to = cfg->succ[next[b]++];
            if (next[to] == UINT32_MAX) {
                next[to] = cfg->succ_first[to];
                work[n++] = to;
            } else if (to == b) {
                cfg->in_loop[b] = true;
            }
        }
    }
    while (n_order--) {
        uint32_t root = order[n_order], n = 0, members = 0;
        if (component[root] != UINT32_MAX)
            continue;
        component[root] = root;
        work[n++] = root;
        while (n) {
            uint32_t b = work[--n];
            members++;
            if (b != root)
                cfg->in_loop[b] = true;
            for (uint32_t e = cfg->pred_first[b]; e < cfg->pred_first[b + 1]; e++)
                if (component[cfg->pred[e]] == UINT32_MAX) {
                    component[cfg->pred[e]] = root;
                    work[n++] = cfg->pred[e];
                }
        }
        if (members > 1)
            cfg->in_loop[root] = true;
    }
}

static void find_all_loops(struct hd_cfg *cfg)
{
    const struct hd_code *code = cfg->code;
    uint32_t n = code->n_blocks + 1;
    uint32_t *work = hd_alloc(n * sizeof *work), *order = hd_alloc(n * sizeof *order);
    uint32_t *next = hd_alloc(n * sizeof *next), *component = hd_alloc(n * sizeof *component);
    cfg->component = component;
    memset(next, 0xff, n * sizeof *next);
    memset(component, 0xff, n * sizeof *component);
    for (uint32_t f = 0; f < code->n_functions; f++)
        find_loops(cfg, code->functions[f].first_block, code->functions[f].end_block, work, order,
                   next, component);
    free(work);
    free(order);
    free(next);
}

void hd_cfg_init(struct hd_cfg *cfg, const struct hd_points_to *p)
{
    const struct hd_code *code = p->code;
    uint32_t n = code->n_blocks;
    *cfg = (struct hd_cfg){ .code = code };
    cfg->succ_first = hd_alloc((n + 2) * sizeof *cfg->succ_first);
    cfg->pred_first = hd_alloc((n + 2) * sizeof *cfg->pred_first);
    cfg->in_loop = hd_alloc(n + 1);
    cfg->reached = hd_alloc(n + 1);
    cfg->cut = hd_alloc((n + 1) * sizeof *cfg->cut);
    cfg->returns = hd_alloc(code->n_functions + 1);
    find_flow(cfg, p);
    find_all_loops(cfg);
    hd_cfg_find_dependence(cfg);
}

void hd_cfg_release(struct hd_cfg *cfg)
{
    free(cfg->succ_first);
    free(cfg->succ);
    free(cfg->pred_first);
    free(cfg->pred);
    free(cfg->in_loop);
    free(cfg->component);
    free(cfg->reached);
    free(cfg->cut);
    free(cfg->returns);
    free(cfg->post_dominator);
    free(cfg->control_first);
    free(cfg->controls);
}
