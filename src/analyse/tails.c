#include "analyse/tails.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    const struct hd_facts *facts;
    bool *locks;    /* by object: it may hold a lock or the like, which the runtime writes */
    bool *acts;     /* by point: it does what a tail must not do, or what it calls may */
    bool *function; /* by function: one of its points acts */
    bool *block;    /* by block: one from its beginning on */
    bool *after;    /* by function: one after it has returned */
};

/* Does the point itself write what is shared, atomically, or synchronise? */
static bool acts_itself(const struct finder *f, uint32_t point)
{
    const struct hd_facts *facts = f->facts;
    const struct hd_accesses *a = &facts->accesses;
    uint8_t sync = a->sync[point];
    if (sync != HD_SYNC_NONE && sync != HD_SYNC_JOIN && sync != HD_SYNC_QUIET)
        return true;
    for (uint32_t i = a->first[point]; i < a->first[point + 1]; i++) {
        uint32_t flags = a->items[i].flags;
        if (flags & HD_MEM_OUTSIDE ||
            (flags & HD_MEM_WRITE && flags & HD_MEM_ATOMIC && flags & HD_MEM_SHARED))
            return true;
    }
    return facts->points_to.calls_unknown[point];
}

/* Is it a join of which nothing comes but that it returns, or a call of a function that is here
 * or tells a debugger something? */
static bool is_plain_call(const struct hd_facts *facts, LLVMValueRef call)
{
    LLVMValueRef callee = hd_code_callee(call);
    const char *name = hd_code_callee_name(call);
    if (!callee || !LLVMIsAFunction(callee))
        return false;
    if (strcmp(name, "pthread_join") == 0)
        return LLVMGetNumArgOperands(call) == 2 &&
               LLVMIsAConstantPointerNull(LLVMGetOperand(call, 1));
    if (LLVMIsDeclaration(callee))
        return strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.lifetime.", 14) == 0;
    return hd_code_is_defined(&facts->code, hd_code_function(&facts->code, callee));
}

static const uint32_t *objects_of(const struct hd_facts *facts,
                                  const struct hd_mem_access *access, uint32_t *n)
{
    return hd_solver_get(facts->points_to.solver, access->node, n);
}

/* What locks are used on, whichever thread does: who calls such a function is no access there
 * (HD_MEM_SYNC), but the bytes of the object change. */
static bool *find_locks(const struct hd_facts *facts)
{
    const struct hd_accesses *a = &facts->accesses;
    const struct hd_objects *objects = &facts->points_to.objects;
    bool *locks = hd_alloc((objects->n + 1) * sizeof *locks);
    for (uint32_t i = 0, n; i < a->n; i++) {
        if (!(a->items[i].flags & HD_MEM_SYNC))
            continue;
        const uint32_t *set = objects_of(facts, &a->items[i], &n);
        for (uint32_t k = 0; k < n; k++)
            locks[objects->locations[set[k]].object] = true;
    }
    for (uint32_t o = 0; locks[HD_UNKNOWN_OBJECT] && o < objects->n; o++)
        locks[o] = locks[o] || objects->items[o].escaped;
    return locks;
}

static bool may_hold_lock(const struct finder *f, const struct hd_mem_access *access)
{
    uint32_t n;
    const uint32_t *set = objects_of(f->facts, access, &n);
    for (uint32_t i = 0; i < n; i++)
        if (f->locks[f->facts->points_to.objects.locations[set[i]].object])
            return true;
    return false;
}

/* Does the point do anything that another thread may have a part in, but join it? */
static bool is_seen(const struct finder *f, uint32_t point)
{
    const struct hd_facts *facts = f->facts;
    const struct hd_accesses *a = &facts->accesses;
    LLVMValueRef inst = facts->code.insts[point];
    if (hd_code_is_call(inst) && !is_plain_call(facts, inst))
        return true;
    if (LLVMGetInstructionOpcode(inst) == LLVMFence ||
        ((LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst)) && LLVMGetVolatile(inst)))
        return true;
    for (uint32_t i = a->first[point]; i < a->first[point + 1]; i++)
        if (a->items[i].flags & (HD_MEM_SHARED | HD_MEM_OUTSIDE | HD_MEM_ATOMIC) ||
            may_hold_lock(f, &a->items[i]))
            return true;
    return (a->sync[point] != HD_SYNC_NONE && a->sync[point] != HD_SYNC_JOIN) ||
           facts->points_to.calls_unknown[point];
}

static bool returns(const struct hd_edge *edge)
{
    return edge->kind == HD_EDGE_CALL || edge->kind == HD_EDGE_CALLBACK;
}

static bool calls_what_acts(const struct finder *f, uint32_t point)
{
    uint32_t n;
    if (!hd_code_is_call(f->facts->code.insts[point]))
        return false;
    const struct hd_edge *edges = hd_points_to_edges(&f->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++)
        if (returns(&edges[i]) && f->function[edges[i].function])
            return true;
    return false;
}

static void find_functions(struct finder *f, bool (*itself)(const struct finder *, uint32_t))
{
    const struct hd_code *code = &f->facts->code;
    for (uint32_t i = 0; i < code->n_insts; i++)
        f->acts[i] = itself(f, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = code->n_functions; k-- > 0;)
            for (uint32_t i = code->functions[k].first; i < code->functions[k].end; i++) {
                f->acts[i] = f->acts[i] || calls_what_acts(f, i);
                changed = changed || (f->acts[i] && !f->function[k]);
                f->function[k] = f->function[k] || f->acts[i];
            }
    }
}

static bool behind_block(const struct finder *f, uint32_t block)
{
    const struct hd_cfg *cfg = &f->facts->cfg;
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
        if (f->block[cfg->succ[e]])
            return true;
    return false;
}

static void find_blocks(struct finder *f)
{
    const struct hd_code *code = &f->facts->code;
    for (uint32_t b = 0; b < code->n_blocks; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            f->block[b] = f->block[b] || f->acts[i];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = code->n_blocks; b-- > 0;)
            if (!f->block[b] && behind_block(f, b))
                changed = f->block[b] = true;
    }
}

/* Does something act after the called function has returned, in the function that calls it or
 * after that has returned?  A library function that calls it back goes on itself, and may call
 * it again. */
static bool behind_call(const struct finder *f, const struct hd_edge *edge)
{
    const struct hd_code *code = &f->facts->code;
    uint32_t block = code->block_of[edge->point];
    if (f->after[code->blocks[block].function] || behind_block(f, block))
        return true;
    for (uint32_t i = edge->point + (edge->kind == HD_EDGE_CALL); i < code->blocks[block].end;
         i++)
        if (f->acts[i])
            return true;
    return false;
}

static void find_returns(struct finder *f)
{
    const struct hd_points_to *p = &f->facts->points_to;
    uint32_t n_functions = f->facts->code.n_functions, n;
    for (uint32_t k = 0; k < n_functions; k++)
        f->after[k] = p->called_from_outside[k];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < n_functions; k++) {
            const struct hd_edge *edges = hd_points_to_callers(p, k, &n);
            for (uint32_t i = 0; i < n && !f->after[k]; i++)
                if (returns(&edges[i]) && behind_call(f, &edges[i]))
                    changed = f->after[k] = true;
        }
    }
}

/* The points from which on nothing does that by itself. */
static void find(uint8_t *tails, uint8_t flag, const struct hd_facts *facts, bool *locks,
                 bool (*itself)(const struct finder *, uint32_t))
{
    const struct hd_code *code = &facts->code;
    struct finder f = { .facts = facts, .locks = locks };
    f.acts = hd_alloc((code->n_insts + 1) * sizeof *f.acts);
    f.function = hd_alloc((code->n_functions + 1) * sizeof *f.function);
    f.block = hd_alloc((code->n_blocks + 1) * sizeof *f.block);
    f.after = hd_alloc((code->n_functions + 1) * sizeof *f.after);
    find_functions(&f, itself);
    find_blocks(&f);
    find_returns(&f);
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        bool more = behind_block(&f, b) || f.after[code->blocks[b].function];
        for (uint32_t i = code->blocks[b].end; i-- > code->blocks[b].first;) {
            more = more || f.acts[i];
            tails[i] |= more ? 0 : flag;
        }
    }
    free(f.acts);
    free(f.function);
    free(f.block);
    free(f.after);
}

void hd_tails_init(struct hd_tails *tails, const struct hd_facts *facts)
{
    tails->of = hd_alloc((facts->code.n_insts + 1) * sizeof *tails->of);
    bool *locks = find_locks(facts);
    find(tails->of, HD_TAIL_READS, facts, locks, acts_itself);
    find(tails->of, HD_TAIL_JOINS, facts, locks, is_seen);
    free(locks);
}

void hd_tails_release(struct hd_tails *tails) { free(tails->of); }
