#include "analyse/sharing.h"

#include "core/abi.h"

#include <stdlib.h>
#include <string.h>

/* Which threads access an object, except main before the first thread. */
struct use {
    uint32_t entry;     /* the only one so far, plus 1; 0: none */
    bool many, written; /* several entries, or one that several threads begin in */
    bool solo_written;  /* by main alone, before */
    bool watched;       /* by an invariant or from outside */
    bool interrupted;   /* by a signal handler, which runs between steps of its thread */
    bool reachable;     /* from what every thread can reach */
};

struct finder {
    struct hd_sharing *s;
    struct hd_points_to *p;
    const struct hd_cfg *cfg;
    const struct hd_entries *threads;
    const struct hd_accesses *accesses;
    struct use *uses; /* by object */
    uint32_t *work, n_work;
    bool main_ends; /* as a thread, before the process does */
    bool *watching; /* by function: an invariant, or code outside, may run it */
    bool *handles;  /* by function: a signal handler may run it */
    uint32_t n;
};

/* ---- 1: reachability from shared places ---- */

static void reach(struct finder *f, uint32_t location)
{
    uint32_t object = f->p->objects.locations[location].object;
    if (object == HD_UNKNOWN_OBJECT || f->uses[object].reachable)
        return;
    f->uses[object].reachable = true;
    f->work[f->n_work++] = object;
}

static void reach_set(struct finder *f, const uint32_t *set, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        reach(f, set[i]);
}

static void find_reachable(struct finder *f)
{
    uint32_t n;
    for (uint32_t o = 1; o < f->n; o++) {
        const struct hd_abstract *object = &f->p->objects.items[o];
        if (object->kind == HD_OBJECT_GLOBAL || object->kind == HD_OBJECT_LIBRARY ||
            object->escaped) {
            f->uses[o].reachable = true;
            f->work[f->n_work++] = o;
        }
    }
    for (uint32_t c = 0; c < f->p->n_callers; c++) {
        const struct hd_caller *caller = &f->p->callers[c];
        for (uint32_t i = 0; caller->kind == HD_EDGE_SPAWN && i < caller->n_args; i++)
            reach_set(f, hd_solver_get(f->p->solver, f->p->arg_nodes[caller->args + i], &n), n);
    }
    while (f->n_work) {
        uint32_t o = f->work[--f->n_work];
        const uint32_t *set = hd_solver_held(f->p->solver, o, &n);
        reach_set(f, set, n);
    }
}

/* ---- what may run beside another thread ---- */

struct flow {
    struct finder *f;
    uint32_t *work, n;
    bool *function_beside; /* it may return beside another thread */
};

static void run_beside(struct flow *flow, uint32_t block, uint32_t from)
{
    uint32_t *now = &flow->f->s->concurrent[block];
    if (from >= *now)
        return;
    *now = from;
    flow->work[flow->n++] = block;
}

static void run_function(struct flow *flow, uint32_t function)
{
    const struct hd_code *code = flow->f->p->code;
    if (hd_code_is_defined(code, function)) {
        uint32_t block = code->functions[function].first_block;
        run_beside(flow, block, code->blocks[block].first);
    }
}

/* Behind the calls of a function that may return beside another thread. */
static void return_beside(struct flow *flow, uint32_t function)
{
    const struct hd_code *code = flow->f->p->code;
    if (flow->function_beside[function])
        return;
    flow->function_beside[function] = true;
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_callers(flow->f->p, function, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind != HD_EDGE_SPAWN)
            run_beside(flow, code->block_of[edges[i].point], edges[i].point + 1);
}

/* setjmp: longjmp comes back here at any time. */
static bool returns_again(LLVMValueRef inst)
{
    return hd_code_is_call(inst) && strstr(hd_code_callee_name(inst), "setjmp") != NULL;
}

static void find_beside(struct finder *f)
{
    const struct hd_code *code = f->p->code;
    struct flow flow = { .f = f };
    /* A block is queued each time that its point advances, at most as often as it has calls. */
    flow.work = hd_alloc(((size_t)code->n_insts + code->n_blocks + 1) * sizeof *flow.work);
    flow.function_beside = hd_alloc(code->n_functions + 1);
    for (uint32_t b = 0; b < code->n_blocks; b++)
        f->s->concurrent[b] = HD_NO_POINT;
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (f->accesses->sync[i] == HD_SYNC_CREATE || f->p->calls_unknown[i] ||
            returns_again(code->insts[i]))
            run_beside(&flow, code->block_of[i], i + 1);
    for (uint32_t e = 1; e < f->threads->n; e++)
        if (f->threads->entries[e].function != HD_NO_POINT)
            run_function(&flow, f->threads->entries[e].function);
    for (uint32_t k = 0; k < code->n_functions; k++)
        if (f->watching[k])
            run_function(&flow, k);
    while (flow.n) {
        uint32_t b = flow.work[--flow.n], n;
        const struct hd_code_block *block = &code->blocks[b];
        for (uint32_t i = f->s->concurrent[b]; i < block->end; i++) {
            const struct hd_edge *edges = hd_points_to_edges(f->p, i, &n);
            for (uint32_t k = 0; hd_code_is_call(code->insts[i]) && k < n; k++)
                run_function(&flow, edges[k].function);
        }
        for (uint32_t e = f->cfg->succ_first[b]; e < f->cfg->succ_first[b + 1]; e++)
            run_beside(&flow, f->cfg->succ[e], code->blocks[f->cfg->succ[e]].first);
        if (f->cfg->succ_first[b] == f->cfg->succ_first[b + 1])
            return_beside(&flow, block->function);
    }
    free(flow.work);
    free(flow.function_beside);
}

/* ---- 2 and 3: who touches what ---- */

static void touch(struct finder *f, uint32_t object, uint32_t entry, uint32_t flags, bool beside)
{
    struct use *use = &f->uses[object];
    if (!beside) {
        use->solo_written |= (flags & HD_MEM_WRITE) != 0;
        return;
    }
    use->written |= (flags & HD_MEM_WRITE) != 0;
    use->many |= f->threads->entries[entry].many || (use->entry && use->entry != entry + 1);
    use->entry = entry + 1;
}

static void touch_access(struct finder *f, const struct hd_mem_access *access, uint32_t entry)
{
    static const uint32_t outside = HD_UNKNOWN_LOCATION;
    uint32_t n = 1;
    bool beside = hd_sharing_beside(f->s, access->point) || entry != 0;
    uint32_t function = hd_code_function_of(f->p->code, access->point);
    const uint32_t *set = access->pointer ? hd_solver_get(f->p->solver, access->node, &n)
                                          : &outside;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t object = f->p->objects.locations[set[i]].object;
        /* Through the unknown: the unknown object collects it for all that escaped. */
        touch(f, object, entry, access->flags, beside);
        f->uses[object].watched |= f->watching[function];
        f->uses[object].interrupted |= f->handles[function];
    }
}

static void find_uses(struct finder *f)
{
    const struct hd_code *code = f->p->code;
    for (uint32_t i = 0; i < f->accesses->n; i++) {
        const struct hd_mem_access *access = &f->accesses->items[i];
        uint32_t function = hd_code_function_of(code, access->point);
        if (access->flags & HD_MEM_SYNC)
            continue;
        for (uint32_t e = 0; e < f->threads->n; e++)
            if (hd_threads_runs(f->threads, e, function))
                touch_access(f, access, e);
        if (f->watching[function])
            touch_access(f, access, 0);
    }
}

/* ---- the verdict ---- */

static bool is_shared_use(const struct use *a)
{
    return a->watched ? a->written || a->solo_written : a->many && a->written;
}

/* The function whose frame the object lies in; HD_NO_POINT: not known. */
static uint32_t function_of(const struct finder *f, const struct hd_abstract *object)
{
    const struct hd_code *code = f->p->code;
    if (!object->value)
        return HD_NO_POINT;
    if (LLVMIsAInstruction(object->value))
        return hd_code_function(code,
                                LLVMGetBasicBlockParent(LLVMGetInstructionParent(object->value)));
    return LLVMIsAArgument(object->value)
               ? hd_code_function(code, LLVMGetParamParent(object->value))
               : HD_NO_POINT;
}

/* May a thread touch the object when the thread that it belongs to has ended? */
static bool outlived(const struct finder *f, const struct hd_abstract *object,
                     const struct use *use)
{
    uint32_t function = function_of(f, object);
    if (!use->entry)
        return false;
    /* the local of any other function than main ends with its call */
    const char *name = function == HD_NO_POINT ? "main" : f->p->code->functions[function].name;
    bool returns = strcmp(name, "main") != 0 && strcmp(name, HD_MAIN_BEHIND) != 0;
    for (uint32_t e = 0; e < f->threads->n; e++) {
        bool owns = function == HD_NO_POINT || hd_threads_runs(f->threads, e, function);
        bool own = !use->many && use->entry == e + 1;
        if (owns && !own && (e > 0 || f->main_ends || returns))
            return true;
    }
    return false;
}

/* Does main end as a thread, before the process does? */
static bool main_ends(const struct finder *f)
{
    static const char *const names[] = { "pthread_exit", "thrd_exit", "pthread_cancel" };
    bool ends = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ends = ends || LLVMGetNamedFunction(f->p->code->module, names[i]);
    return ends;
}

/* May a handler come between two accesses of its thread, also to memory that no other thread
 * reaches?  Locals of the handler itself are out of the question. */
static bool is_interrupted(const struct finder *f, const struct hd_abstract *object,
                           const struct use *use)
{
    uint32_t function = object->kind == HD_OBJECT_STACK ? function_of(f, object) : HD_NO_POINT;
    return use->interrupted && (use->written || use->solo_written) &&
           (function == HD_NO_POINT || !f->handles[function]);
}

static void judge(struct finder *f, uint32_t o)
{
    const struct hd_abstract *object = &f->p->objects.items[o];
    struct use use = f->uses[o], unknown = f->uses[HD_UNKNOWN_OBJECT];
    bool local = object->kind == HD_OBJECT_STACK || object->kind == HD_OBJECT_VARIADIC;
    enum hd_share share = HD_SHARED;
    if (object->escaped && unknown.entry) {
        use.many |= unknown.many || (use.entry && use.entry != unknown.entry);
        use.written |= unknown.written;
        use.entry = unknown.entry;
        use.watched |= unknown.watched;
        use.interrupted |= unknown.interrupted;
    }
    if (object->escaped)
        use.solo_written |= unknown.solo_written;
    bool elsewhere = object->kind == HD_OBJECT_UNKNOWN || object->kind == HD_OBJECT_LIBRARY ||
                     (object->kind == HD_OBJECT_GLOBAL && LLVMIsDeclaration(object->value));
    if (!elsewhere && !use.reachable)
        share = local ? HD_OWN_LOCAL : HD_OWN;
    else if (!elsewhere && !is_shared_use(&use))
        share = use.many || use.watched || !(use.written || use.solo_written) ? HD_READ_ONLY
                                                                              : HD_OWN;
    bool ends = local || object->kind == HD_OBJECT_THREAD; /* with its thread */
    if (share != HD_SHARED && ends && use.reachable && outlived(f, object, &use))
        share = HD_SHARED;
    if (is_interrupted(f, object, &use))
        share = HD_SHARED;
    f->s->objects[o] = (uint8_t)share;
}

/* Invariants are named when a check begins; any function of that form may be one. */
static bool may_be_invariant(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    return LLVMCountParamTypes(type) == 0 &&
           LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMIntegerTypeKind &&
           strcmp(name, "main") != 0 && strcmp(name, HD_MAIN_BEHIND) != 0;
}

/* Handlers and destructors run when main is over, or in whichever thread ends, beside all
 * others, wherever they were registered. */
static void find_handlers(struct finder *f)
{
    const struct hd_code *code = f->p->code;
    for (uint32_t i = 0; i < f->p->n_edges; i++)
        if (f->p->edges[i].kind == HD_EDGE_LATER)
            f->watching[f->p->edges[i].function] = true;
    for (uint32_t i = 0; i < code->n_functions; i++)
        if (hd_code_is_listed(code, "llvm.global_dtors", i))
            f->watching[i] = true;
}

/* Add all that the functions of the set may call. */
static void add_callees(const struct finder *f, bool *set)
{
    const struct hd_code *code = f->p->code;
    uint32_t *work = hd_alloc((code->n_functions + 1) * sizeof *work), n = 0;
    for (uint32_t i = 0; i < code->n_functions; i++)
        if (set[i] && hd_code_is_defined(code, i))
            work[n++] = i;
    while (n) {
        uint32_t k = work[--n];
        for (uint32_t i = code->functions[k].first; i < code->functions[k].end; i++) {
            uint32_t edges_n;
            const struct hd_edge *edges = hd_points_to_edges(f->p, i, &edges_n);
            for (uint32_t e = 0; e < edges_n; e++)
                if (!set[edges[e].function]) {
                    set[edges[e].function] = true;
                    if (hd_code_is_defined(code, edges[e].function))
                        work[n++] = edges[e].function;
                }
        }
    }
    free(work);
}

static void find_watching(struct finder *f)
{
    const struct hd_code *code = f->p->code;
    find_handlers(f);
    for (uint32_t i = 0; i < code->n_functions; i++)
        if (hd_code_is_defined(code, i) &&
            (f->p->called_from_outside[i] || may_be_invariant(code->functions[i].value)))
            f->watching[i] = true;
    add_callees(f, f->watching);
}

/* The model calls signal handlers: they are among the functions that others may call. */
static void find_signal_handlers(struct finder *f)
{
    const struct hd_code *code = f->p->code;
    if (!LLVMGetNamedFunction(code->module, "sigaction") &&
        !LLVMGetNamedFunction(code->module, "signal"))
        return;
    for (uint32_t i = 0; i < code->n_functions; i++)
        f->handles[i] = hd_code_is_defined(code, i) && f->p->called_from_outside[i];
    add_callees(f, f->handles);
}

void hd_sharing_init(struct hd_sharing *s, struct hd_points_to *p, const struct hd_cfg *cfg,
                     const struct hd_entries *threads, const struct hd_accesses *accesses)
{
    struct finder f = { .s = s, .p = p, .cfg = cfg, .threads = threads, .accesses = accesses };
    f.n = p->objects.n;
    *s = (struct hd_sharing){ .p = p, .n_objects = f.n };
    s->objects = hd_alloc(f.n + 1);
    s->concurrent = hd_alloc((p->code->n_blocks + 1) * sizeof *s->concurrent);
    f.uses = hd_alloc((f.n + 1) * sizeof *f.uses);
    f.work = hd_alloc((f.n + 1) * sizeof *f.work);
    f.watching = hd_alloc(p->code->n_functions + 1);
    f.main_ends = main_ends(&f);
    f.handles = hd_alloc(p->code->n_functions + 1);
    find_watching(&f);
    find_signal_handlers(&f);
    find_reachable(&f);
    find_beside(&f);
    find_uses(&f);
    for (uint32_t o = 0; o < f.n; o++)
        judge(&f, o);
    free(f.uses);
    free(f.work);
    free(f.watching);
    free(f.handles);
}

void hd_sharing_release(struct hd_sharing *s)
{
    free(s->objects);
    free(s->concurrent);
}

/* SHARED < READ_ONLY < OWN < OWN_LOCAL in what may be left out. */
static unsigned privacy(enum hd_share share)
{
    static const unsigned order[] = {
        [HD_SHARED] = 0, [HD_READ_ONLY] = 1, [HD_OWN] = 2, [HD_OWN_LOCAL] = 3
    };
    return order[share];
}

static enum hd_share least_private(const struct hd_sharing *s, const uint32_t *set, uint32_t n)
{
    enum hd_share least = HD_OWN_LOCAL;
    if (n == 0)
        return HD_SHARED; /* it points to nothing: the access is an error, and stays visible */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t object = s->p->objects.locations[set[i]].object;
        enum hd_share share = object < s->n_objects ? s->objects[object] : HD_SHARED;
        if (privacy(share) < privacy(least))
            least = share;
    }
    return least;
}

enum hd_share hd_sharing_of(const struct hd_sharing *s, LLVMValueRef pointer)
{
    uint32_t n;
    const uint32_t *set = hd_points_to_get(s->p, pointer, &n);
    return least_private(s, set, n);
}

enum hd_share hd_sharing_access(const struct hd_sharing *s, const struct hd_mem_access *access)
{
    if (access->pointer == NULL || access->flags & HD_MEM_SYNC)
        return HD_SHARED;
    uint32_t n;
    const uint32_t *set = hd_solver_get(s->p->solver, access->node, &n);
    return least_private(s, set, n);
}
