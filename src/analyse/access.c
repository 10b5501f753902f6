#include "analyse/access.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    struct hd_sync sync;
} syncs[] = {
#define HD_SYNC(name, kind, object, second) { name, { HD_SYNC_##kind, object, second } },
#include "analyse/sync.def"
#undef HD_SYNC
};

/* One '*' may stand for anything. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = strchr(pattern, '*');
    if (star == NULL)
        return strcmp(pattern, name) == 0;
    size_t head = (size_t)(star - pattern), n = strlen(name), tail = strlen(star + 1);
    return n >= head + tail && strncmp(pattern, name, head) == 0 &&
           strcmp(name + n - tail, star + 1) == 0;
}

struct hd_sync hd_sync_find(const char *name)
{
    for (size_t i = 0; i < sizeof syncs / sizeof *syncs; i++)
        if (matches(syncs[i].name, name))
            return syncs[i].sync;
    return (struct hd_sync){ HD_SYNC_NONE, -1, -1 };
}

struct scan {
    struct hd_accesses *a;
    struct hd_points_to *p;
    struct hd_sync *of_function; /* what declared functions do */
    uint32_t point;
    LLVMValueRef inst;
};

static void add(struct scan *s, LLVMValueRef pointer, uint64_t bytes, uint32_t flags,
                uint32_t arg)
{
    struct hd_accesses *a = s->a;
    if (a->n == a->room) {
        a->room = a->room ? a->room * 2 : 1024;
        a->items = hd_realloc(a->items, a->room * sizeof *a->items);
    }
    a->items[a->n++] = (struct hd_mem_access){
        pointer, bytes, s->point, pointer ? hd_points_to_node(s->p, pointer) : 0, flags, arg
    };
}

static uint64_t bytes_of(const struct scan *s, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(s->p->code->layout, type);
}

static uint32_t atomic(LLVMValueRef inst)
{
    return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic ? HD_MEM_ATOMIC : 0;
}

/* ---- calls ---- */

static LLVMValueRef arg(const struct scan *s, uint32_t i)
{
    if (i >= LLVMGetNumArgOperands(s->inst))
        return NULL;
    LLVMValueRef value = LLVMGetOperand(s->inst, i);
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? value : NULL;
}

static void add_arg(struct scan *s, uint32_t i, uint64_t bytes, uint32_t flags)
{
    LLVMValueRef pointer = arg(s, i);
    if (pointer && !LLVMIsAConstantPointerNull(pointer))
        add(s, pointer, bytes, flags, i);
}

static uint64_t number_arg(const struct scan *s, int i)
{
    LLVMValueRef value = i >= 0 && (unsigned)i < LLVMGetNumArgOperands(s->inst)
                             ? LLVMGetOperand(s->inst, (unsigned)i)
                             : NULL;
    return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

/* The recipes of libc.def's EXPAND rows, in its own notation without extents that matter. */
static const char *recipe_effects(const char *recipe)
{
    static const struct {
        const char *recipe, *effects;
    } table[] = {
        { "memcpy", "w0:2 r1:2" },
        { "mempcpy", "w0:2 r1:2" },
        { "bcopy", "r0:2 w1:2" },
        { "memset", "w0:2" },
        { "bzero", "w0:1" },
        { "strcpy", "w0:s r1:s" },
        { "strncpy", "w0:2 r1:s2" },
        { "strcat", "r0:s w0:s r1:s" },
        { "strncat", "r0:s w0:s r1:s" },
        { "stpcpy", "w0:s r1:s" },
        { "stpncpy", "w0:2 r1:s2" },
        { "swap", "r0:=8 w0:=8 r1:=8 w1:=8" },
        { "strtol", "r0:s w1:=8" },
        { "snprintf", "w0:1 f2" },
        { "sprintf", "w0:s f1" },
        { "qsort", "r0:1*2 w0:1*2" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(recipe, table[i].recipe) == 0)
            return table[i].effects;
    return NULL;
}

static uint64_t effect_bytes(const struct scan *s, const struct hd_effect *e)
{
    if (e->extent == HD_EXTENT_STRING)
        return 0;
    if (e->factor[0] < 0)
        return e->grown > e->constant ? e->grown : e->constant;
    uint64_t bytes = number_arg(s, e->factor[0]);
    return e->factor[1] < 0 ? bytes : bytes * number_arg(s, e->factor[1]);
}

static void by_effects(struct scan *s, const char *effects, uint32_t more)
{
    for (struct hd_effect e; hd_libc_effect(&effects, &e);) {
        if (e.kind == HD_EFFECT_READ)
            add_arg(s, e.arg, effect_bytes(s, &e), HD_MEM_READ | more);
        else if (e.kind == HD_EFFECT_WRITE)
            add_arg(s, e.arg, effect_bytes(s, &e), HD_MEM_WRITE | more);
        else if (e.kind == HD_EFFECT_USE || e.kind == HD_EFFECT_KEPT)
            add_arg(s, e.arg, 0, HD_MEM_READ | HD_MEM_WRITE | more);
        else if (e.kind == HD_EFFECT_FORMAT)
            for (uint32_t i = e.arg; i < LLVMGetNumArgOperands(s->inst); i++)
                add_arg(s, i, 0, HD_MEM_READ | more);
    }
}

static void all_args(struct scan *s, uint32_t flags)
{
    for (uint32_t i = 0; i < LLVMGetNumArgOperands(s->inst); i++)
        add_arg(s, i, 0, flags);
}

/* An access through the pointer that argument i points to: strtok_r continues where *save
 * points. */
static void through(struct scan *s, uint32_t i)
{
    LLVMValueRef pointer = arg(s, i);
    if (pointer == NULL)
        return;
    add(s, pointer, 0, HD_MEM_READ | HD_MEM_WRITE, i);
    uint32_t held = hd_solver_node(s->p->solver);
    hd_solver_load(s->p->solver, hd_points_to_node(s->p, pointer), held, 8);
    s->a->items[s->a->n - 1].node = held;
}

static void by_libc(struct scan *s, const struct hd_libc *row)
{
    if (row->class == HD_LIBC_MODEL && *row->effects == 0) {
        all_args(s,
                 HD_MEM_READ | HD_MEM_WRITE); /* the runtime may access them: a futex, free() */
        return;
    }
    if (row->class != HD_LIBC_EXPAND) {
        by_effects(s, row->effects, 0);
        return;
    }
    const char *effects = recipe_effects(row->effects);
    if (strcmp(row->effects, "strtok_r") == 0)
        through(s, 2);
    if (effects)
        by_effects(s, effects, 0);
    else
        all_args(s, HD_MEM_READ | HD_MEM_WRITE |
                        (hd_str_starts(row->effects, "atomic") ? HD_MEM_ATOMIC : 0));
}

static void by_intrinsic(struct scan *s, const char *name)
{
    uint64_t bytes = number_arg(s, 2);
    if (hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "llvm.memmove")) {
        add_arg(s, 0, bytes, HD_MEM_WRITE);
        add_arg(s, 1, bytes, HD_MEM_READ);
    } else if (hd_str_starts(name, "llvm.memset")) {
        add_arg(s, 0, bytes, HD_MEM_WRITE);
    } else if (hd_str_starts(name, "llvm.va_start") || hd_str_starts(name, "llvm.va_copy")) {
        add_arg(s, 0, 24, HD_MEM_WRITE);
        add_arg(s, 1, 24, HD_MEM_READ);
    }
}

/* Attributes, times, results. */
static void beside_object(struct scan *s, const struct hd_sync *sync, const struct hd_libc *row)
{
    if (row && *row->effects) {
        by_effects(s, row->effects, 0);
        return;
    }
    for (uint32_t i = 0; i < LLVMGetNumArgOperands(s->inst); i++)
        if ((int)i != sync->object && (int)i != sync->second)
            add_arg(s, i, 0, HD_MEM_READ);
}

static void call_declared(struct scan *s, uint32_t function)
{
    const char *name = s->p->code->functions[function].name;
    struct hd_sync sync = s->of_function[function];
    if (hd_str_starts(name, "llvm.")) {
        by_intrinsic(s, name);
        return;
    }
    if (sync.kind != HD_SYNC_NONE) {
        s->a->sync[s->point] = (uint8_t)sync.kind;
        for (int i = 0; i < 2; i++) {
            int object = i ? sync.second : sync.object;
            if (object >= 0)
                add_arg(s, (uint32_t)object, 0, HD_MEM_READ | HD_MEM_WRITE | HD_MEM_SYNC);
        }
        if (sync.object >= 0) {
            beside_object(s, &sync, s->p->libc[function]);
            return;
        }
    }
    if (s->p->libc[function])
        by_libc(s, s->p->libc[function]);
    else
        all_args(s, HD_MEM_READ | HD_MEM_WRITE);
}

static void byval_args(struct scan *s)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(s->inst); i++) {
        LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(s->inst, i + 1, kind);
        if (byval)
            add_arg(s, i, bytes_of(s, LLVMGetTypeAttributeValue(byval)), HD_MEM_READ);
    }
}

static void scan_call(struct scan *s)
{
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_edges(s->p, s->point, &n);
    byval_args(s);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind == HD_EDGE_CALL && !hd_code_is_defined(s->p->code, edges[i].function))
            call_declared(s, edges[i].function);
    if (s->p->calls_unknown[s->point])
        add(s, NULL, 0, HD_MEM_READ | HD_MEM_WRITE | HD_MEM_OUTSIDE, 0);
}

static void scan_inst(struct scan *s)
{
    LLVMValueRef inst = s->inst;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        add(s, LLVMGetOperand(inst, 0), bytes_of(s, LLVMTypeOf(inst)), HD_MEM_READ | atomic(inst),
            0);
        break;
    case LLVMStore:
        add(s, LLVMGetOperand(inst, 1), bytes_of(s, LLVMTypeOf(LLVMGetOperand(inst, 0))),
            HD_MEM_WRITE | atomic(inst), 0);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        add(s, LLVMGetOperand(inst, 0), bytes_of(s, LLVMTypeOf(LLVMGetOperand(inst, 1))),
            HD_MEM_READ | HD_MEM_WRITE | HD_MEM_ATOMIC, 0);
        break;
    case LLVMVAArg:
        add(s, LLVMGetOperand(inst, 0), 24, HD_MEM_READ | HD_MEM_WRITE, 0);
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        scan_call(s);
        break;
    default:
        break;
    }
}

void hd_accesses_init(struct hd_accesses *a, struct hd_points_to *p)
{
    const struct hd_code *code = p->code;
    *a = (struct hd_accesses){ 0 };
    a->first = hd_alloc((code->n_insts + 2) * sizeof *a->first);
    a->sync = hd_alloc(code->n_insts + 1);
    struct scan s = { .a = a, .p = p };
    s.of_function = hd_alloc((code->n_functions + 1) * sizeof *s.of_function);
    for (uint32_t f = 0; f < code->n_functions; f++)
        if (!hd_code_is_defined(code, f))
            s.of_function[f] = hd_sync_find(code->functions[f].name);
    for (uint32_t i = 0; i < code->n_insts; i++) {
        a->first[i] = a->n;
        s.point = i;
        s.inst = code->insts[i];
        scan_inst(&s);
    }
    a->first[code->n_insts] = a->n;
    hd_points_to_settle(p);
    free(s.of_function);
}

void hd_accesses_release(struct hd_accesses *a)
{
    free(a->items);
    free(a->first);
    free(a->sync);
}

/* ---- questions ---- */

static bool locations_meet(const struct hd_objects *o, uint32_t a, uint64_t a_bytes, uint32_t b,
                           uint64_t b_bytes)
{
    uint64_t a_begin, a_end, b_begin, b_end;
    uint32_t x = o->locations[a].object, y = o->locations[b].object;
    if (x == HD_UNKNOWN_OBJECT || y == HD_UNKNOWN_OBJECT)
        return o->items[x].escaped && o->items[y].escaped;
    if (x != y || o->items[x].kind == HD_OBJECT_FUNCTION)
        return false;
    if (!hd_objects_range(o, a, a_bytes, &a_begin, &a_end) ||
        !hd_objects_range(o, b, b_bytes, &b_begin, &b_end))
        return true;
    return a_begin < b_end && b_begin < a_end;
}

bool hd_accesses_meet(struct hd_points_to *p, const struct hd_mem_access *a,
                      const struct hd_mem_access *b)
{
    static const uint32_t outside = HD_UNKNOWN_LOCATION;
    uint32_t n = 1, m = 1;
    const uint32_t *x = a->pointer ? hd_solver_get(p->solver, a->node, &n) : &outside;
    const uint32_t *y = b->pointer ? hd_solver_get(p->solver, b->node, &m) : &outside;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m; k++)
            if (locations_meet(&p->objects, x[i], a->bytes, y[k], b->bytes))
                return true;
    return false;
}

const uint32_t *hd_accesses_objects(struct hd_points_to *p, uint32_t point, bool second,
                                    uint32_t *n)
{
    LLVMValueRef inst = p->code->insts[point];
    struct hd_sync sync = hd_sync_find(hd_code_callee_name(inst));
    int arg_index = second ? sync.second : sync.object;
    *n = 0;
    if (arg_index < 0 || (unsigned)arg_index >= LLVMGetNumArgOperands(inst))
        return NULL;
    return hd_points_to_get(p, LLVMGetOperand(inst, (unsigned)arg_index), n);
}
