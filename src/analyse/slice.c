#include "analyse/slice.h"

#include "analyse/backward.h"
#include "analyse/remembers.h"

#include <stdlib.h>
#include <string.h>

struct item {
    uint32_t entry, point;
};

struct slicer {
    struct hd_slice *slice;
    struct hd_facts *facts;
    struct item *work;
    uint32_t n_work, work_room;
    uint8_t *blocks;    /* by entry and block: its control dependence is in */
    uint8_t *functions; /* by entry and function: that it is called is in */
    struct hd_backward reads;
    struct hd_backward *order;    /* by entry; facts is NULL until it is used */
    uint32_t *locking, n_locking; /* points that work on locks */
    uint32_t entry;               /* of the item being worked on */
    uint8_t *library;             /* by point: enum hd_remembers */
    bool library_in;
    struct hd_lockset left; /* held when threads end or wait */
};

static uint8_t *flags_of(struct slicer *s, uint32_t entry, uint32_t point)
{
    return &s->slice->flags[(size_t)entry * s->facts->code.n_insts + point];
}

static void add(struct slicer *s, uint32_t entry, uint32_t point, unsigned more)
{
    uint8_t *flags = flags_of(s, entry, point);
    if ((*flags & (HD_SLICE_IN | more)) == (HD_SLICE_IN | more))
        return;
    *flags |= (uint8_t)(HD_SLICE_IN | more);
    if (s->n_work == s->work_room) {
        s->work_room = s->work_room ? s->work_room * 2 : 256;
        s->work = hd_realloc(s->work, s->work_room * sizeof *s->work);
    }
    s->work[s->n_work++] = (struct item){ entry, point };
}

static bool runs(const struct slicer *s, uint32_t entry, uint32_t point)
{
    return hd_threads_runs(&s->facts->threads, entry,
                           hd_code_function_of(&s->facts->code, point));
}

/* In every entry that may run the point. */
static void add_everywhere(struct slicer *s, uint32_t point)
{
    for (uint32_t e = 0; e < s->facts->threads.n; e++)
        if (runs(s, e, point))
            add(s, e, point, 0);
}

/* ---- values ---- */

static void use_value(struct slicer *s, LLVMValueRef value);

/* What the callers hand over as that parameter. */
static void use_parameter(struct slicer *s, LLVMValueRef param)
{
    const struct hd_code *code = &s->facts->code;
    LLVMValueRef function = LLVMGetParamParent(param);
    uint32_t n, entry = s->entry, id = hd_code_function(code, function), k = 0;
    while (LLVMGetParam(function, k) != param)
        k++;
    const struct hd_edge *edges = hd_points_to_callers(&s->facts->points_to, id, &n);
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef call = code->insts[edges[i].point];
        if (edges[i].kind == HD_EDGE_SPAWN || !runs(s, entry, edges[i].point))
            continue;
        add(s, entry, edges[i].point, 0);
        if (edges[i].kind == HD_EDGE_CALL && k < LLVMGetNumArgOperands(call))
            use_value(s, LLVMGetOperand(call, k));
    }
}

static void use_value(struct slicer *s, LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        add(s, s->entry, hd_code_point(&s->facts->code, value),
            hd_code_is_call(value) ? HD_SLICE_RESULT : 0);
    else if (LLVMIsAArgument(value))
        use_parameter(s, value);
}

static void use_returns(struct slicer *s, uint32_t point)
{
    const struct hd_code *code = &s->facts->code;
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_edges(&s->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_code_function *f = &code->functions[edges[i].function];
        for (uint32_t b = f->first_block; b < f->end_block && edges[i].kind == HD_EDGE_CALL; b++)
            if (LLVMIsAReturnInst(code->insts[code->blocks[b].end - 1]) &&
                s->facts->cfg.reached[b])
                add(s, s->entry, code->blocks[b].end - 1, 0);
    }
}

/* A call of the program's own function: which function; its arguments follow when the function
 * uses them.  Anything else may use all of them. */
static void use_call(struct slicer *s, uint32_t point, LLVMValueRef inst)
{
    uint32_t n, entry = s->entry;
    bool others = s->facts->points_to.calls_unknown[point];
    const struct hd_edge *edges = hd_points_to_edges(&s->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++)
        others |= edges[i].kind != HD_EDGE_CALL ||
                  !hd_code_is_defined(&s->facts->code, edges[i].function);
    use_value(s, LLVMGetCalledValue(inst));
    for (unsigned i = 0; others && i < LLVMGetNumArgOperands(inst); i++)
        use_value(s, LLVMGetOperand(inst, i));
    if (*flags_of(s, entry, point) & HD_SLICE_RESULT)
        use_returns(s, point);
}

static void use_operands(struct slicer *s, uint32_t point)
{
    LLVMValueRef inst = s->facts->code.insts[point];
    if (hd_code_is_call(inst)) {
        use_call(s, point, inst);
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++)
        if (!LLVMValueIsBasicBlock(LLVMGetOperand(inst, i)))
            use_value(s, LLVMGetOperand(inst, i));
}

/* ---- control ---- */

static void depend_on_block(struct slicer *s, uint32_t block)
{
    const struct hd_cfg *cfg = &s->facts->cfg;
    uint8_t *done = &s->blocks[(size_t)s->entry * s->facts->code.n_blocks + block];
    if (*done)
        return;
    *done = 1;
    for (uint32_t i = cfg->control_first[block]; i < cfg->control_first[block + 1]; i++)
        add(s, s->entry, s->facts->code.blocks[cfg->controls[i]].end - 1, 0);
}

/* Which value a phi has depends on the way that was taken. */
static void depend_on_ways(struct slicer *s, LLVMValueRef phi)
{
    const struct hd_code *code = &s->facts->code;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        uint32_t block = hd_code_block(code, LLVMGetIncomingBlock(phi, i));
        depend_on_block(s, block);
        if (LLVMGetNumSuccessors(code->insts[code->blocks[block].end - 1]) > 1)
            add(s, s->entry, code->blocks[block].end - 1, 0);
    }
}

static void depend_on_spawns(struct slicer *s, uint32_t function)
{
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_callers(&s->facts->points_to, function, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind == HD_EDGE_SPAWN)
            add_everywhere(s, edges[i].point);
}

static void depend_on_calls(struct slicer *s, uint32_t function)
{
    uint32_t n;
    uint8_t *done = &s->functions[(size_t)s->entry * s->facts->code.n_functions + function];
    if (*done)
        return;
    *done = 1;
    const struct hd_edge *edges = hd_points_to_callers(&s->facts->points_to, function, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind != HD_EDGE_SPAWN && runs(s, s->entry, edges[i].point))
            add(s, s->entry, edges[i].point, 0);
    if (s->slice->whole && s->facts->threads.entries[s->entry].function == function)
        depend_on_spawns(s, function);
}

/* ---- memory ---- */

struct reading {
    struct slicer *s;
    const struct hd_mem_access *read;
};

/* The write overwrites all that the read looks at: both name the same variable directly. */
static bool overwrites(const struct hd_mem_access *write, const struct hd_mem_access *read)
{
    return write->pointer == read->pointer && LLVMIsAGlobalVariable(read->pointer) &&
           write->bytes >= read->bytes && read->bytes && !(write->flags & HD_MEM_READ);
}

static bool find_writes(void *context, uint32_t first, uint32_t end)
{
    const struct reading *r = context;
    const struct hd_accesses *accesses = &r->s->facts->accesses;
    for (uint32_t i = accesses->first[end]; i-- > accesses->first[first];) {
        const struct hd_mem_access *write = &accesses->items[i];
        if (!(write->flags & HD_MEM_WRITE) || write->flags & HD_MEM_SYNC ||
            !hd_accesses_meet(&r->s->facts->points_to, write, r->read))
            continue;
        add(r->s, r->s->entry, write->point, 0);
        if (overwrites(write, r->read))
            return false;
    }
    return true;
}

/* Writes of other threads; of the same entry when several threads begin there.  Memory that no
 * two threads access at the same time may still have been written by another one, before it
 * created the thread or after it was joined. */
static void for_interference(struct hd_facts *facts, uint32_t entry,
                             const struct hd_mem_access *read,
                             void (*each)(void *, uint32_t entry, uint32_t point), void *context)
{
    for (uint32_t i = 0; i < facts->accesses.n; i++) {
        const struct hd_mem_access *write = &facts->accesses.items[i];
        if (!(write->flags & HD_MEM_WRITE) || write->flags & HD_MEM_SYNC ||
            (read->flags & ~write->flags & HD_MEM_SHARED) ||
            !hd_accesses_meet(&facts->points_to, write, read))
            continue;
        bool parallel = read->flags & HD_MEM_SHARED;
        uint32_t function = hd_code_function_of(&facts->code, write->point);
        for (uint32_t e = 0; e < facts->threads.n; e++)
            if (hd_threads_runs(&facts->threads, e, function) &&
                (e != entry || (parallel && facts->threads.entries[e].many)))
                each(context, e, write->point);
    }
}

static void add_interference(void *context, uint32_t entry, uint32_t point)
{
    add(context, entry, point, 0);
}

static void depend_on_memory(struct slicer *s, uint32_t point)
{
    const struct hd_accesses *accesses = &s->facts->accesses;
    for (uint32_t i = accesses->first[point]; i < accesses->first[point + 1]; i++) {
        struct reading r = { s, &accesses->items[i] };
        if (!(r.read->flags & HD_MEM_READ) || r.read->flags & HD_MEM_SYNC ||
            (s->slice->values && r.read->flags & HD_MEM_SHARED))
            continue;
        hd_backward_restart(&s->reads, s->entry);
        hd_backward_from(&s->reads, point, find_writes, &r);
        if (s->slice->whole)
            for_interference(s->facts, s->entry, r.read, add_interference, s);
    }
}

/* ---- what keeps a thread from getting there ---- */

static bool reads_shared(const struct slicer *s, LLVMValueRef value, unsigned depth)
{
    const struct hd_accesses *accesses = &s->facts->accesses;
    if (!LLVMIsAInstruction(value) || depth == 0)
        return false;
    uint32_t point = hd_code_point(&s->facts->code, value);
    if (hd_code_is_call(value))
        return true;
    for (uint32_t i = accesses->first[point]; i < accesses->first[point + 1]; i++)
        if (accesses->items[i].flags & HD_MEM_SHARED)
            return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!LLVMValueIsBasicBlock(LLVMGetOperand(value, i)) &&
            reads_shared(s, LLVMGetOperand(value, i), depth - 1))
            return true;
    return false;
}

/* A branch that leaves a loop, depending on what other threads do. */
static bool ends_waiting(const struct slicer *s, uint32_t block)
{
    enum { DEPTH = 6 };
    const struct hd_cfg *cfg = &s->facts->cfg;
    LLVMValueRef last = s->facts->code.insts[s->facts->code.blocks[block].end - 1];
    if (!cfg->in_loop[block] || LLVMGetNumSuccessors(last) < 2)
        return false;
    for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++)
        if (cfg->component[cfg->succ[e]] != cfg->component[block])
            return reads_shared(s, LLVMGetOperand(last, 0), DEPTH);
    return false;
}

static bool blocks(enum hd_sync_kind kind)
{
    return kind == HD_SYNC_WAIT || kind == HD_SYNC_BLOCK || kind == HD_SYNC_JOIN;
}

static bool works_on(struct slicer *s, uint32_t point, const struct hd_lockset *held);

/* Locks that a thread may hold when it ends or waits: taking one of these may take for ever. */
static void find_left(struct slicer *s)
{
    const struct hd_facts *facts = s->facts;
    for (uint32_t i = 0; i < facts->code.n_insts && facts->locks.n; i++) {
        uint8_t sync = facts->accesses.sync[i];
        uint32_t block = facts->code.block_of[i];
        bool ends = facts->cfg.cut[block] == i ||
                    (LLVMIsAReturnInst(facts->code.insts[i]) &&
                     hd_threads_entry(&facts->threads, facts->code.blocks[block].function) !=
                         HD_NO_POINT);
        if (!ends && !blocks(sync) && sync != HD_SYNC_LOCK && sync != HD_SYNC_LOCK_SHARED)
            continue;
        struct hd_lockset held = hd_locks_may(&facts->locks, i);
        for (size_t w = 0; w < HD_LOCK_WORDS; w++)
            s->left.words[w] |= held.words[w];
    }
}

static bool may_keep(struct slicer *s, uint32_t point)
{
    uint8_t sync = s->facts->accesses.sync[point];
    return blocks(sync) || ((sync == HD_SYNC_LOCK || sync == HD_SYNC_LOCK_SHARED) &&
                            s->facts->locks.n && works_on(s, point, &s->left));
}

static bool find_order(void *context, uint32_t first, uint32_t end)
{
    struct slicer *s = context;
    const struct hd_code *code = &s->facts->code;
    uint32_t block = code->block_of[first], function = code->blocks[block].function;
    for (uint32_t i = first; i < end; i++)
        if (may_keep(s, i))
            add(s, s->entry, i, HD_SLICE_RESULT); /* whether it returns */
    if (end == code->blocks[block].end && ends_waiting(s, block))
        add(s, s->entry, end - 1, 0);
    /* A function that was called might not have returned. */
    if (end == code->blocks[block].end && LLVMIsAReturnInst(code->insts[end - 1]))
        for (uint32_t b = code->functions[function].first_block;
             b < code->functions[function].end_block; b++)
            if (s->facts->cfg.cut[b] != HD_NO_POINT && s->facts->cfg.reached[b])
                add(s, s->entry, s->facts->cfg.cut[b], 0);
    return true;
}

/* ---- locks ---- */

static bool works_on(struct slicer *s, uint32_t point, const struct hd_lockset *held)
{
    uint32_t n;
    bool second = s->facts->accesses.sync[point] == HD_SYNC_WAIT;
    const uint32_t *set = hd_accesses_objects(&s->facts->points_to, point, second, &n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *lock = hd_u64map_get(&s->facts->locks.by_location, set[i]);
        if (lock && hd_lockset_holds(held, *lock))
            return true;
    }
    return false;
}

/* All of the thread's work on the locks held at a shared access. */
static void depend_on_locks(struct slicer *s, uint32_t point)
{
    if (s->facts->locks.n == 0 || !hd_slice_is_visible(s->facts, point) ||
        s->facts->accesses.sync[point])
        return;
    struct hd_lockset held = hd_locks_may(&s->facts->locks, point);
    for (uint32_t i = 0; i < s->n_locking; i++)
        if (runs(s, s->entry, s->locking[i]) && works_on(s, s->locking[i], &held))
            add(s, s->entry, s->locking[i], 0);
}

/* Joining on the ends of threads. */
static void depend_on_ends(struct slicer *s)
{
    const struct hd_code *code = &s->facts->code;
    for (uint32_t e = 1; e < s->facts->threads.n; e++) {
        uint32_t function = s->facts->threads.entries[e].function;
        if (function == HD_NO_POINT)
            continue;
        for (uint32_t b = code->functions[function].first_block;
             b < code->functions[function].end_block; b++)
            if (LLVMIsAReturnInst(code->insts[code->blocks[b].end - 1]) &&
                s->facts->cfg.reached[b])
                add(s, e, code->blocks[b].end - 1, 0);
    }
}

/* Waiting on waking. */
static void depend_on_waking(struct slicer *s, uint32_t point)
{
    const struct hd_accesses *accesses = &s->facts->accesses;
    if (!s->slice->whole || !blocks(accesses->sync[point]))
        return;
    if (accesses->sync[point] == HD_SYNC_JOIN)
        depend_on_ends(s);
    for (uint32_t i = 0; i < accesses->n; i++) {
        const struct hd_mem_access *wake = &accesses->items[i];
        enum hd_sync_kind kind = accesses->sync[wake->point];
        if (!(wake->flags & HD_MEM_SYNC) || (kind != HD_SYNC_WAKE && kind != HD_SYNC_BLOCK))
            continue;
        for (uint32_t k = accesses->first[point]; k < accesses->first[point + 1]; k++)
            if (accesses->items[k].flags & HD_MEM_SYNC &&
                hd_accesses_meet(&s->facts->points_to, wake, &accesses->items[k]))
                add_everywhere(s, wake->point);
    }
}

/* What an operation on a lock returns, on all others on that lock. */
static void depend_on_holders(struct slicer *s, uint32_t point)
{
    struct hd_points_to *p = &s->facts->points_to;
    const struct hd_accesses *accesses = &s->facts->accesses;
    uint8_t sync = accesses->sync[point];
    if (!s->slice->whole || sync < HD_SYNC_LOCK || sync > HD_SYNC_UNLOCK ||
        !(*flags_of(s, s->entry, point) & HD_SLICE_RESULT))
        return;
    for (uint32_t i = 0; i < s->n_locking; i++)
        for (uint32_t k = accesses->first[s->locking[i]]; k < accesses->first[s->locking[i] + 1];
             k++)
            for (uint32_t own = accesses->first[point]; own < accesses->first[point + 1]; own++)
                if (hd_accesses_meet(p, &accesses->items[k], &accesses->items[own]))
                    add_everywhere(s, s->locking[i]);
}

/* Every use of a lock or the like on what made it. */
static void depend_on_making(struct slicer *s, uint32_t point)
{
    const struct hd_accesses *accesses = &s->facts->accesses;
    for (uint32_t k = accesses->first[point]; k < accesses->first[point + 1]; k++) {
        if (!(accesses->items[k].flags & HD_MEM_SYNC))
            continue;
        for (uint32_t i = 0; i < accesses->n; i++) {
            const struct hd_mem_access *made = &accesses->items[i];
            if (accesses->sync[made->point] != HD_SYNC_OBJECT || !(made->flags & HD_MEM_SYNC) ||
                !hd_accesses_meet(&s->facts->points_to, made, &accesses->items[k]))
                continue;
            if (s->slice->whole)
                add_everywhere(s, made->point);
            else if (runs(s, s->entry, made->point))
                add(s, s->entry, made->point, 0);
        }
    }
}

/* ---- what the library remembers ---- */

static void find_library(struct slicer *s)
{
    const struct hd_code *code = &s->facts->code;
    s->library = hd_alloc(code->n_insts + 1);
    for (uint32_t i = 0; i < code->n_insts; i++)
        s->library[i] = (uint8_t)hd_slice_remembers(s->facts, i);
}

static void depend_on_library(struct slicer *s, uint32_t point)
{
    if (!s->slice->whole || s->library[point] == HD_REMEMBERS_NONE || s->library_in)
        return;
    s->library_in = true;
    for (uint32_t i = 0; i < s->facts->code.n_insts; i++)
        if (s->library[i])
            add_everywhere(s, i);
}

/* Code that interrupts a thread decides where it gets to. */
static void depend_on_interrupts(struct slicer *s)
{
    for (uint32_t i = 0; s->slice->whole && i < s->facts->code.n_insts; i++)
        if (s->library[i] == HD_REMEMBERS_INTERRUPTS)
            add_everywhere(s, i);
}

/* ---- the whole ---- */

static void work(struct slicer *s)
{
    const struct hd_code *code = &s->facts->code;
    while (s->n_work) {
        struct item item = s->work[--s->n_work];
        uint32_t block = code->block_of[item.point];
        LLVMValueRef inst = code->insts[item.point];
        s->entry = item.entry;
        use_operands(s, item.point);
        if (LLVMIsAPHINode(inst))
            depend_on_ways(s, inst);
        depend_on_memory(s, item.point);
        if (s->slice->values)
            continue;
        depend_on_block(s, block);
        depend_on_calls(s, code->blocks[block].function);
        depend_on_locks(s, item.point);
        depend_on_waking(s, item.point);
        depend_on_holders(s, item.point);
        depend_on_making(s, item.point);
        depend_on_library(s, item.point);
        struct hd_backward *order = &s->order[item.entry];
        if (order->facts == NULL) {
            hd_backward_init(order, s->facts);
            hd_backward_restart(order, item.entry);
        }
        hd_backward_from(order, item.point, find_order, s);
    }
}

void hd_slice_init(struct hd_slice *slice, struct hd_facts *facts, bool whole)
{
    *slice = (struct hd_slice){ .facts = facts, .whole = whole };
    slice->flags = hd_alloc((size_t)facts->threads.n * facts->code.n_insts + 1);
}

void hd_slice_release(struct hd_slice *slice) { free(slice->flags); }

static void find_locking(struct slicer *s)
{
    const struct hd_code *code = &s->facts->code;
    const uint8_t *sync = s->facts->accesses.sync;
    s->locking = hd_alloc((code->n_insts + 1) * sizeof *s->locking);
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (sync[i] >= HD_SYNC_LOCK && sync[i] <= HD_SYNC_WAIT)
            s->locking[s->n_locking++] = i;
}

void hd_slice_add(struct hd_slice *slice, uint32_t entry, const uint32_t *targets, uint32_t n)
{
    struct hd_facts *facts = slice->facts;
    size_t entries = facts->threads.n;
    struct slicer s = { .slice = slice, .facts = facts };
    s.blocks = hd_alloc(entries * facts->code.n_blocks + 1);
    s.functions = hd_alloc(entries * facts->code.n_functions + 1);
    s.order = hd_alloc((entries + 1) * sizeof *s.order);
    hd_backward_init(&s.reads, facts);
    find_locking(&s);
    find_library(&s);
    find_left(&s);
    for (uint32_t e = 0; e < entries; e++)
        for (uint32_t i = 0; i < n; i++)
            if ((entry == HD_NO_POINT || entry == e) && runs(&s, e, targets[i]))
                add(&s, e, targets[i], HD_SLICE_TARGET);
    depend_on_interrupts(&s);
    work(&s);
    for (uint32_t e = 0; e < entries; e++)
        hd_backward_release(&s.order[e]);
    hd_backward_release(&s.reads);
    free(s.order);
    free(s.locking);
    free(s.library);
    free(s.blocks);
    free(s.functions);
    free(s.work);
}

bool hd_slice_is_visible(const struct hd_facts *facts, uint32_t point)
{
    if (facts->accesses.sync[point])
        return true;
    for (uint32_t i = facts->accesses.first[point]; i < facts->accesses.first[point + 1]; i++)
        if (facts->accesses.items[i].flags & HD_MEM_SHARED)
            return true;
    return false;
}

struct interferences {
    struct hd_interference *items;
    uint32_t n, room;
};

static void collect(void *context, uint32_t entry, uint32_t point)
{
    struct interferences *list = context;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->items[i].entry == entry && list->items[i].point == point)
            return;
    if (list->n == list->room) {
        list->room = list->room ? list->room * 2 : 16;
        list->items = hd_realloc(list->items, list->room * sizeof *list->items);
    }
    list->items[list->n++] = (struct hd_interference){ entry, point };
}

struct hd_interference *hd_slice_interference(struct hd_facts *facts, uint32_t entry,
                                              uint32_t point, uint32_t *n)
{
    struct interferences list = { 0 };
    for (uint32_t i = facts->accesses.first[point]; i < facts->accesses.first[point + 1]; i++) {
        const struct hd_mem_access *read = &facts->accesses.items[i];
        if (read->flags & HD_MEM_READ && !(read->flags & HD_MEM_SYNC) &&
            read->flags & HD_MEM_SHARED)
            for_interference(facts, entry, read, collect, &list);
    }
    *n = list.n;
    return list.items;
}
