#include "analyse/query_dice.h"

#include "analyse/query_internal.h"
#include "analyse/slice.h"

#include <stdlib.h>
#include <string.h>

#define KINDS 64u /* beyond these, threads are not distinguished */

struct hd_abstraction {
    struct hd_query *query;
    const struct hd_query_sites *sites;
    struct hd_slice slice; /* L_s, by thread entry */
    uint32_t n_targets;
    struct hd_points *targets; /* by target */
    uint8_t *sited;            /* by point: a thread can be seen there */
};

static uint32_t kind_of(uint32_t entry) { return entry < KINDS ? entry : KINDS - 1; }

static void add_point(struct hd_points *points, uint32_t point)
{
    if (points->n == points->room) {
        points->room = points->room ? points->room * 2 : 16;
        points->items = hd_realloc(points->items, points->room * sizeof *points->items);
    }
    points->items[points->n++] = point;
}

/* ---- making it ---- */

static int find_targets(struct hd_abstraction *a, const struct hd_strs *targets,
                        struct hd_err *err)
{
    const struct hd_code *code = &a->query->facts.code;
    a->n_targets = targets->n ? (uint32_t)targets->n : 1;
    a->targets = hd_alloc(a->n_targets * sizeof *a->targets);
    for (size_t i = 0; i < targets->n; i++)
        if (hd_query_target(a->query, targets->items[i], &a->targets[i], err) != 0)
            return -1;
    for (uint32_t i = 0; targets->n == 0 && i < code->n_insts; i++)
        if (hd_code_is_failure(code->insts[i]))
            add_point(&a->targets[0], i);
    return a->targets[0].n
               ? 0
               : hd_err_set(err, "the program has no assertion and no heddle_target() to "
                                 "go to: say where with --target FILE:LINE");
}

int hd_abstraction_create(struct hd_abstraction **abstraction, struct hd_query *query,
                          const struct hd_query_sites *sites, const struct hd_strs *targets,
                          struct hd_err *err)
{
    struct hd_abstraction *a = hd_alloc(sizeof *a);
    const struct hd_code *code = &query->facts.code;
    a->query = query;
    a->sites = sites;
    hd_slice_init(&a->slice, &query->facts, false);
    a->sited = hd_alloc(code->n_insts + 1);
    for (uint32_t i = 1; i < sites->n; i++)
        if (sites->points[i] < code->n_insts &&
            hd_slice_is_visible(&query->facts, sites->points[i]))
            a->sited[sites->points[i]] = 1;
    if (find_targets(a, targets, err) != 0) {
        hd_abstraction_destroy(a);
        return -1;
    }
    for (uint32_t t = 0; t < a->n_targets; t++)
        hd_slice_add(&a->slice, HD_NO_POINT, a->targets[t].items, a->targets[t].n);
    *abstraction = a;
    return 0;
}

void hd_abstraction_destroy(struct hd_abstraction *a)
{
    if (a == NULL)
        return;
    for (uint32_t t = 0; a->targets && t < a->n_targets; t++)
        free(a->targets[t].items);
    free(a->targets);
    free(a->sited);
    hd_slice_release(&a->slice);
    free(a);
}

/* ---- asking it ---- */

uint32_t hd_abstraction_kinds(const struct hd_abstraction *a)
{
    uint32_t n = a->query->facts.threads.n;
    return n < KINDS ? n : KINDS;
}

const char *hd_abstraction_kind_name(const struct hd_abstraction *a, uint32_t kind)
{
    return hd_threads_name(&a->query->facts.threads, kind);
}

uint32_t hd_abstraction_kind(const struct hd_abstraction *a, uint32_t site)
{
    const struct hd_facts *facts = &a->query->facts;
    uint32_t point = site < a->sites->n ? a->sites->points[site] : HD_NO_POINT;
    if (point >= facts->code.n_insts)
        return UINT32_MAX;
    uint32_t function = hd_code_function_of(&facts->code, point), found = UINT32_MAX;
    uint32_t entry = hd_threads_entry(&facts->threads, function);
    if (entry != HD_NO_POINT)
        return kind_of(entry);
    for (uint32_t e = 0; e < facts->threads.n; e++) { /* begun by code that is not here */
        if (!hd_threads_runs(&facts->threads, e, function))
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = kind_of(e);
    }
    return found;
}

uint32_t hd_abstraction_kind_created(const struct hd_abstraction *a, uint32_t site)
{
    const struct hd_facts *facts = &a->query->facts;
    uint32_t point = site < a->sites->n ? a->sites->points[site] : HD_NO_POINT;
    uint32_t n, found = UINT32_MAX;
    if (point >= facts->code.n_insts)
        return UINT32_MAX;
    const struct hd_edge *edges = hd_points_to_edges(&facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t entry = edges[i].kind == HD_EDGE_SPAWN
                             ? hd_threads_entry(&facts->threads, edges[i].function)
                             : HD_NO_POINT;
        if (entry == HD_NO_POINT)
            continue;
        if (found != UINT32_MAX && found != kind_of(entry))
            return UINT32_MAX;
        found = kind_of(entry);
    }
    return found;
}

bool hd_abstraction_gets_to(const struct hd_abstraction *a, uint32_t kind, uint32_t target)
{
    const struct hd_facts *facts = &a->query->facts;
    for (uint32_t e = 0; e < facts->threads.n; e++)
        for (uint32_t i = 0; kind_of(e) == kind && i < a->targets[target].n; i++)
            if (hd_threads_runs(&facts->threads, e,
                                hd_code_function_of(&facts->code, a->targets[target].items[i])))
                return true;
    return false;
}

uint32_t hd_abstraction_places(const struct hd_abstraction *a, uint64_t *slices)
{
    const struct hd_facts *facts = &a->query->facts;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->sites->n; i++) {
        uint32_t point = a->sites->points[i];
        slices[i] = 0;
        if (point >= facts->code.n_insts || !a->sited[point])
            continue;
        for (uint32_t e = 0; e < facts->threads.n; e++)
            if (hd_slice_at(&a->slice, e, point) & HD_SLICE_IN)
                slices[i] |= 1ull << kind_of(e);
        n += (uint32_t)__builtin_popcountll(slices[i]);
    }
    return n;
}

/* ---- refining it ---- */

struct refinement {
    struct hd_abstraction *a;
    struct hd_refined *out;
    uint64_t *by_point;       /* reached, by point instead of by site */
    uint8_t *blocks;          /* of the entry looked at: HAS_BEEN, QUEUED */
    struct hd_points queue;   /* blocks that were not reached, it seems */
    struct hd_points decides; /* branches on which it depends whether they are */
    struct hd_points *writes; /* by entry: of other threads, that those branches see */
};

enum { HAS_BEEN = 1, QUEUED = 2, DECIDES = 4 };

static void why_not(struct refinement *r, uint32_t block)
{
    if (r->blocks[block] & QUEUED)
        return;
    r->blocks[block] |= QUEUED;
    add_point(&r->queue, block);
}

/* Which sites the entry has reached, and which of its slice it has not. */
static void look_at_slice(struct refinement *r, uint32_t entry)
{
    const struct hd_abstraction *a = r->a;
    const struct hd_code *code = &a->query->facts.code;
    uint64_t bit = 1ull << kind_of(entry);
    memset(r->blocks, 0, code->n_blocks);
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (r->by_point[i] & bit)
            r->blocks[code->block_of[i]] |= HAS_BEEN;
    for (uint32_t i = 0; i < code->n_insts; i++) {
        unsigned flags = hd_slice_at(&a->slice, entry, i);
        bool place = flags & HD_SLICE_IN && a->sited[i];
        if ((place || flags & HD_SLICE_TARGET) && !(r->by_point[i] & bit))
            why_not(r, code->block_of[i]);
    }
}

/* The branches that the unreached blocks depend on; upwards, as long as nothing shows that a
 * block has been reached. */
static void find_branches(struct refinement *r, uint32_t entry)
{
    const struct hd_facts *facts = &r->a->query->facts;
    const struct hd_cfg *cfg = &facts->cfg;
    while (r->queue.n) {
        uint32_t block = r->queue.items[--r->queue.n], n;
        for (uint32_t i = cfg->control_first[block]; i < cfg->control_first[block + 1]; i++) {
            uint32_t by = cfg->controls[i];
            if (!(r->blocks[by] & DECIDES))
                add_point(&r->decides, facts->code.blocks[by].end - 1);
            r->blocks[by] |= DECIDES;
            if (!(r->blocks[by] & HAS_BEEN))
                why_not(r, by);
        }
        const struct hd_edge *calls = hd_points_to_callers(
            &facts->points_to, facts->code.blocks[block].function, &n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t from = facts->code.block_of[calls[i].point];
            if (calls[i].kind != HD_EDGE_SPAWN && !(r->blocks[from] & HAS_BEEN) &&
                hd_threads_runs(&facts->threads, entry, facts->code.blocks[from].function))
                why_not(r, from);
        }
    }
}

/* The read at the point, if it is one of shared memory: who else writes what it sees? */
static void see_writes(struct refinement *r, uint32_t entry, uint32_t point)
{
    struct hd_facts *facts = &r->a->query->facts;
    uint32_t n;
    struct hd_interference *list = hd_slice_interference(facts, entry, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        add_point(&r->writes[list[i].entry], list[i].point);
        r->out->weight[kind_of(list[i].entry)]++;
    }
    for (uint32_t s = 1; n && s < r->a->sites->n; s++)
        if (r->a->sites->points[s] == point)
            r->out->wanted[s] |= 1ull << kind_of(entry);
    free(list);
}

#define COMPARISON(name, op)                                                                     \
    static bool name(int64_t a, int64_t b) { return a op b; }
COMPARISON(is_equal, ==)
COMPARISON(is_other, !=)
COMPARISON(is_more, >)
COMPARISON(is_not_less, >=)
COMPARISON(is_less, <)
COMPARISON(is_not_more, <=)
#undef COMPARISON

static bool (*comparison(LLVMIntPredicate predicate))(int64_t, int64_t)
{
    switch (predicate) {
    case LLVMIntEQ:
        return is_equal;
    case LLVMIntNE:
        return is_other;
    case LLVMIntSGT:
    case LLVMIntUGT:
        return is_more;
    case LLVMIntSGE:
    case LLVMIntUGE:
        return is_not_less;
    case LLVMIntSLT:
    case LLVMIntULT:
        return is_less;
    default:
        return is_not_more;
    }
}

/* Does the branch compare something read just so with a number? */
static void note_comparison(struct refinement *r, LLVMValueRef branch)
{
    struct hd_refined *out = r->out;
    LLVMValueRef test = LLVMIsABranchInst(branch) && LLVMIsConditional(branch)
                            ? LLVMGetCondition(branch)
                            : NULL;
    if (!test || !LLVMIsAICmpInst(test) || !LLVMIsAConstantInt(LLVMGetOperand(test, 1)) ||
        !LLVMIsALoadInst(LLVMGetOperand(test, 0)))
        return;
    uint32_t point = hd_code_point(&r->a->query->facts.code, LLVMGetOperand(test, 0));
    for (uint32_t s = 1; s < r->a->sites->n && out->n_compared < HD_MAX_COMPARED; s++)
        if (r->a->sites->points[s] == point)
            out->compared[out->n_compared++] = (struct hd_compared){
                s, comparison(LLVMGetICmpPredicate(test)),
                (int64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(test, 1))
            };
}

/* A call of the point has a result that depends on what others do with the same object: an
 * attempt to take a lock, a wait that may time out. */
static void see_attempts(struct refinement *r, uint32_t entry, uint32_t point)
{
    struct hd_facts *facts = &r->a->query->facts;
    const struct hd_accesses *all = &facts->accesses;
    for (uint32_t k = all->first[point]; k < all->first[point + 1]; k++)
        for (uint32_t i = 0; all->items[k].flags & HD_MEM_SYNC && i < all->n; i++) {
            const struct hd_mem_access *other = &all->items[i];
            if (!(other->flags & HD_MEM_SYNC) || all->sync[other->point] == HD_SYNC_OBJECT ||
                !hd_accesses_meet(&facts->points_to, other, &all->items[k]))
                continue;
            uint32_t function = hd_code_function_of(&facts->code, other->point);
            for (uint32_t e = 0; e < facts->threads.n; e++)
                if (hd_threads_runs(&facts->threads, e, function) &&
                    (e != entry || facts->threads.entries[e].many)) {
                    add_point(&r->writes[e], other->point);
                    r->out->weight[kind_of(e)]++;
                }
        }
}

static void refine_entry(struct refinement *r, uint32_t entry, bool wide)
{
    struct hd_facts *facts = &r->a->query->facts;
    struct hd_slice values;
    r->decides.n = r->queue.n = 0;
    look_at_slice(r, entry);
    find_branches(r, entry);
    for (uint32_t i = 0; i < r->decides.n; i++)
        note_comparison(r, facts->code.insts[r->decides.items[i]]);
    hd_slice_init(&values, facts, false);
    values.values = true;
    hd_slice_add(&values, entry, r->decides.items, r->decides.n);
    for (uint32_t i = 0; i < facts->code.n_insts; i++) {
        unsigned flags = hd_slice_at(&values, entry, i) |
                         (wide ? hd_slice_at(&r->a->slice, entry, i) : 0);
        if (flags & HD_SLICE_IN)
            see_writes(r, entry, i);
        if (flags & HD_SLICE_RESULT && facts->accesses.sync[i])
            see_attempts(r, entry, i);
    }
    hd_slice_release(&values);
}

static uint64_t size_of(const struct hd_abstraction *a)
{
    const struct hd_facts *facts = &a->query->facts;
    uint64_t n = 0;
    for (uint64_t i = 0; i < (uint64_t)facts->threads.n * facts->code.n_insts; i++)
        n += a->slice.flags[i] & HD_SLICE_IN;
    return n;
}

void hd_abstraction_refine(struct hd_abstraction *a, const uint64_t *reached, uint64_t active,
                           bool wide, struct hd_refined *refined)
{
    const struct hd_facts *facts = &a->query->facts;
    struct refinement r = { .a = a, .out = refined };
    uint64_t before = size_of(a);
    r.by_point = hd_alloc((facts->code.n_insts + 1) * sizeof *r.by_point);
    r.blocks = hd_alloc(facts->code.n_blocks + 1);
    r.writes = hd_alloc((facts->threads.n + 1) * sizeof *r.writes);
    refined->n_compared = 0;
    memset(refined->weight, 0, sizeof refined->weight);
    memset(refined->wanted, 0, a->sites->n * sizeof *refined->wanted);
    for (uint32_t i = 1; i < a->sites->n; i++)
        if (a->sites->points[i] < facts->code.n_insts)
            r.by_point[a->sites->points[i]] |= reached[i];
    for (uint32_t e = 0; e < facts->threads.n; e++)
        if (active >> kind_of(e) & 1)
            refine_entry(&r, e, wide);
    for (uint32_t e = 0; e < facts->threads.n; e++) {
        if (r.writes[e].n)
            hd_slice_add(&a->slice, e, r.writes[e].items, r.writes[e].n);
        free(r.writes[e].items);
    }
    refined->grew = size_of(a) != before;
    free(r.writes);
    free(r.by_point);
    free(r.blocks);
    free(r.queue.items);
    free(r.decides.items);
}
