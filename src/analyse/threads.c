#include "analyse/threads.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

uint32_t hd_threads_entry(const struct hd_entries *t, uint32_t function)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->entries[i].function == function)
            return i;
    return HD_NO_POINT;
}

const char *hd_threads_name(const struct hd_entries *t, uint32_t entry)
{
    uint32_t function = t->entries[entry].function;
    return function == HD_NO_POINT ? "(code that is not analysed)"
                                   : t->code->functions[function].name;
}

static void add_entry(struct hd_entries *t, uint32_t function)
{
    if (hd_threads_entry(t, function) != HD_NO_POINT)
        return;
    t->entries = hd_realloc(t->entries, (t->n + 1) * sizeof *t->entries);
    t->entries[t->n++] = (struct hd_entry){ .function = function };
}

/* Threads that begin in code which is not here run what that code may call. */
static bool spawns_unknown(const struct hd_points_to *p, uint32_t point)
{
    const char *name = hd_code_callee_name(p->code->insts[point]);
    return p->calls_unknown[point] &&
           (strcmp(name, "pthread_create") == 0 || strcmp(name, "thrd_create") == 0 ||
            hd_str_starts(name, "_ZNSt6thread15_M_start_thread"));
}

static void find_entries(struct hd_entries *t, const struct hd_points_to *p)
{
    LLVMValueRef user = LLVMGetNamedFunction(t->code->module, "main");
    add_entry(t, user ? hd_code_function(t->code, user) : HD_NO_POINT);
    for (uint32_t i = 0; i < p->n_edges; i++)
        if (p->edges[i].kind == HD_EDGE_SPAWN)
            add_entry(t, hd_code_is_defined(t->code, p->edges[i].function) ? p->edges[i].function
                                                                           : HD_NO_POINT);
    for (uint32_t i = 0; i < t->code->n_insts; i++)
        if (p->calls_unknown[i] && spawns_unknown(p, i))
            add_entry(t, HD_NO_POINT);
}

struct reach {
    struct hd_entries *t;
    const struct hd_points_to *p;
    uint64_t *set;
    uint32_t *work, n;
};

static void enter(struct reach *r, uint32_t function)
{
    uint64_t bit = 1ull << function % 64;
    if (r->set[function / 64] & bit)
        return;
    r->set[function / 64] |= bit;
    r->work[r->n++] = function;
}

/* Constructors and destructors: the lists that the linker runs around main. */
static void enter_list(struct reach *r, const char *name)
{
    for (uint32_t f = 0; f < r->t->code->n_functions; f++)
        if (hd_code_is_listed(r->t->code, name, f))
            enter(r, f);
}

static void find_reach(struct reach *r, uint32_t entry)
{
    const struct hd_code *code = r->t->code;
    r->set = r->t->reach + (size_t)entry * r->t->n_words;
    if (r->t->entries[entry].function != HD_NO_POINT)
        enter(r, r->t->entries[entry].function);
    if (entry == 0) {
        enter_list(r, "llvm.global_ctors");
        enter_list(r, "llvm.global_dtors");
    }
    for (uint32_t f = 0; f < code->n_functions; f++)
        if (r->p->called_from_outside[f])
            enter(r, f);
    for (uint32_t i = 0; i < r->p->n_edges; i++)
        if (r->p->edges[i].kind == HD_EDGE_LATER)
            enter(r, r->p->edges[i].function);
    while (r->n) {
        uint32_t f = r->work[--r->n], n;
        if (!hd_code_is_defined(code, f))
            continue;
        const struct hd_edge *edge = hd_points_to_edges(r->p, code->functions[f].first, &n);
        const struct hd_edge *end = r->p->n_edges ? r->p->edges + r->p->n_edges : NULL;
        for (; edge < end && edge->point < code->functions[f].end; edge++)
            if (edge->kind == HD_EDGE_CALL || edge->kind == HD_EDGE_CALLBACK)
                enter(r, edge->function);
    }
}

/* A function runs at most once when one point calls it, outside of any loop, in a function that
 * runs at most once. */
static void find_once(struct hd_entries *t, const struct hd_points_to *p,
                      const struct hd_cfg *cfg)
{
    const struct hd_code *code = t->code;
    uint32_t *callers = hd_alloc((code->n_functions + 1) * sizeof *callers);
    const struct hd_edge **only = hd_alloc((code->n_functions + 1) * sizeof *only);
    for (uint32_t i = 0; i < p->n_edges; i++) {
        callers[p->edges[i].function]++;
        only[p->edges[i].function] = &p->edges[i];
    }
    if (t->entries[0].function != HD_NO_POINT)
        t->once[t->entries[0].function] = callers[t->entries[0].function] == 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < code->n_functions; f++) {
            if (t->once[f] || callers[f] != 1 || p->called_from_outside[f] ||
                only[f]->kind == HD_EDGE_LATER || only[f]->kind == HD_EDGE_CALLBACK)
                continue;
            uint32_t point = only[f]->point;
            if (t->once[hd_code_function_of(code, point)] && !cfg->in_loop[code->block_of[point]])
                changed = t->once[f] = true;
        }
    }
    free(callers);
    free(only);
}

void hd_threads_init(struct hd_entries *t, const struct hd_points_to *p, const struct hd_cfg *cfg)
{
    const struct hd_code *code = p->code;
    *t = (struct hd_entries){ .code = code };
    find_entries(t, p);
    t->n_words = code->n_functions / 64 + 1;
    t->reach = hd_alloc((size_t)t->n * t->n_words * sizeof *t->reach);
    t->once = hd_alloc(code->n_functions + 1);
    struct reach r = { .t = t, .p = p };
    r.work = hd_alloc((code->n_functions + 1) * sizeof *r.work);
    for (uint32_t e = 0; e < t->n; e++)
        find_reach(&r, e);
    free(r.work);
    find_once(t, p, cfg);
    for (uint32_t e = 0; e < t->n; e++)
        t->entries[e].many = t->entries[e].function == HD_NO_POINT ||
                             !t->once[t->entries[e].function];
}

void hd_threads_release(struct hd_entries *t)
{
    free(t->entries);
    free(t->reach);
    free(t->once);
}
