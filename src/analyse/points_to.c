#include "analyse/points_to.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { WATCH_ESCAPE = UINT32_MAX };

/* ---- nodes of values ---- */

uint32_t hd_points_to_location_node(struct hd_points_to *p, uint32_t location)
{
    uint32_t node = hd_solver_node(p->solver);
    hd_solver_add(p->solver, node, location);
    return node;
}

static uint32_t of_global(struct hd_points_to *p, LLVMValueRef value)
{
    if (LLVMIsAGlobalAlias(value))
        return hd_points_to_node(p, LLVMAliasGetAliasee(value));
    uint32_t object = hd_objects_find(&p->objects, value);
    uint32_t location = object == HD_NO_POINT ? HD_UNKNOWN_LOCATION
                                              : hd_objects_location(&p->objects, object, 0);
    return hd_points_to_location_node(p, location);
}

/* All operands, anywhere in what they point into. */
static uint32_t of_parts(struct hd_points_to *p, LLVMValueRef value)
{
    uint32_t node = HD_NO_NODE;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        uint32_t part = hd_points_to_node(p, LLVMGetOperand(value, i));
        if (part == HD_NO_NODE)
            continue;
        if (node == HD_NO_NODE)
            node = hd_solver_node(p->solver);
        hd_solver_smear(p->solver, part, node);
    }
    return node;
}

static uint32_t of_expression(struct hd_points_to *p, LLVMValueRef value)
{
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr: {
        uint32_t base = hd_points_to_node(p, LLVMGetOperand(value, 0));
        if (base == HD_NO_NODE)
            return HD_NO_NODE;
        struct hd_offset by = hd_points_to_offset(p->code, value);
        uint32_t node = hd_solver_node(p->solver);
        hd_solver_move(p->solver, base, node, &by);
        return node;
    }
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
        return hd_points_to_node(p, LLVMGetOperand(value, 0));
    default:
        return of_parts(p, value);
    }
}

static uint32_t of_constant(struct hd_points_to *p, LLVMValueRef value)
{
    if (LLVMIsAGlobalValue(value))
        return of_global(p, value);
    if (LLVMIsAConstantExpr(value))
        return of_expression(p, value);
    if (LLVMIsABlockAddress(value) || LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value) ||
        LLVMIsAConstantDataSequential(value) || LLVMIsNull(value) || LLVMIsUndef(value))
        return HD_NO_NODE;
    return of_parts(p, value);
}

uint32_t hd_points_to_node(struct hd_points_to *p, LLVMValueRef value)
{
    const uint64_t *known = hd_ptrmap_get(&p->nodes, value);
    if (known)
        return (uint32_t)(*known - 1);
    uint32_t node = HD_NO_NODE;
    if (LLVMIsConstant(value))
        node = of_constant(p, value);
    else if (LLVMIsAArgument(value) || LLVMIsAInstruction(value))
        node = hd_solver_node(p->solver);
    *hd_ptrmap_put(&p->nodes, value) = node + 1ull;
    return node;
}

struct hd_offset hd_points_to_offset(const struct hd_code *code, LLVMValueRef gep)
{
    struct hd_offset by = { .source = 1 };
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned n = (unsigned)LLVMGetNumOperands(gep);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        bool constant = LLVMIsAConstantInt(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            by.constant += (int64_t)LLVMOffsetOfElement(code->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        uint64_t stride = LLVMABISizeOfType(code->layout, type);
        if (i == 1 && constant && LLVMConstIntGetSExtValue(index) == 0)
            by.source = stride;
        else if (constant)
            by.constant += LLVMConstIntGetSExtValue(index) * (int64_t)stride;
        else if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind ||
                 by.n_strides == HD_MOST_STRIDES)
            by.anywhere = true;
        else if (stride)
            by.strides[by.n_strides++] = stride;
    }
    return by;
}

/* ---- calls ---- */

uint32_t hd_points_to_caller(struct hd_points_to *p, uint32_t point, enum hd_edge_kind kind,
                             uint32_t result)
{
    if (p->n_callers == p->caller_room) {
        p->caller_room = p->caller_room ? p->caller_room * 2 : 256;
        p->callers = hd_realloc(p->callers, p->caller_room * sizeof *p->callers);
    }
    p->callers[p->n_callers] = (struct hd_caller){
        .point = point, .kind = kind, .args = p->n_arg_nodes, .result = result
    };
    return p->n_callers++;
}

void hd_points_to_arg(struct hd_points_to *p, uint32_t caller, uint32_t node)
{
    if (p->n_arg_nodes == p->arg_room) {
        p->arg_room = p->arg_room ? p->arg_room * 2 : 1024;
        p->arg_nodes = hd_realloc(p->arg_nodes, p->arg_room * sizeof *p->arg_nodes);
    }
    p->arg_nodes[p->n_arg_nodes++] = node;
    p->callers[caller].n_args++;
}

void hd_points_to_calls(struct hd_points_to *p, uint32_t caller, uint32_t callee_node)
{
    hd_solver_watch(p->solver, callee_node, caller);
}

/* False: the caller is known to call it. */
static bool add_edge(struct hd_points_to *p, uint32_t caller, uint32_t function)
{
    bool is_new;
    hd_u64map_put(&p->edge_set, (uint64_t)caller << 32 | function, &is_new);
    if (!is_new)
        return false;
    if (p->n_edges == p->edge_room) {
        p->edge_room = p->edge_room ? p->edge_room * 2 : 256;
        p->edges = hd_realloc(p->edges, p->edge_room * sizeof *p->edges);
    }
    p->edges[p->n_edges++] = (struct hd_edge){ p->callers[caller].point, function,
                                               p->callers[caller].kind };
    return true;
}

static bool is_byval(LLVMValueRef function, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
}

/* The callee gets a copy of its own. */
static void pass_copy(struct hd_points_to *p, LLVMValueRef param, uint32_t node)
{
    uint32_t object = hd_objects_find(&p->objects, param);
    uint32_t held = hd_solver_node(p->solver);
    hd_solver_load(p->solver, node, held, 0);
    hd_solver_hold(p->solver, hd_objects_location(&p->objects, object, HD_ANYWHERE), 0, held);
}

static void pass_arguments(struct hd_points_to *p, struct hd_caller c, uint32_t function)
{
    LLVMValueRef value = p->code->functions[function].value;
    unsigned n = LLVMCountParams(value);
    for (uint32_t i = 0; i < c.n_args; i++) {
        uint32_t node = p->arg_nodes[c.args + i];
        if (i < n && is_byval(value, i))
            pass_copy(p, LLVMGetParam(value, i), node);
        else if (i < n)
            hd_solver_copy(p->solver, node, hd_points_to_node(p, LLVMGetParam(value, i)));
        else if (p->variadic[function])
            hd_solver_hold(p->solver,
                           hd_objects_location(&p->objects, p->variadic[function], HD_ANYWHERE),
                           0, node);
    }
}

void hd_points_to_call(struct hd_points_to *p, uint32_t caller, uint32_t function)
{
    struct hd_caller c = p->callers[caller];
    if (!add_edge(p, caller, function))
        return;
    if (!hd_code_is_defined(p->code, function)) {
        hd_points_to_external(p, caller, p->code->functions[function].value);
        return;
    }
    pass_arguments(p, c, function);
    hd_solver_copy(p->solver, p->results[function], c.result);
    if (c.kind == HD_EDGE_SPAWN) /* for the thread that joins it */
        hd_solver_hold(p->solver, hd_objects_location(&p->objects, p->library, HD_ANYWHERE), 0,
                       p->results[function]);
}

void hd_points_to_call_unknown(struct hd_points_to *p, uint32_t caller)
{
    struct hd_caller c = p->callers[caller];
    if (c.point != HD_NO_POINT)
        p->calls_unknown[c.point] = true;
    for (uint32_t i = 0; i < c.n_args; i++)
        hd_solver_copy(p->solver, p->arg_nodes[c.args + i], HD_ESCAPE);
    hd_solver_add(p->solver, c.result, HD_UNKNOWN_LOCATION);
    if (c.kind == HD_EDGE_SPAWN) /* what such a thread returns, for the thread that joins it */
        hd_solver_hold(p->solver, hd_objects_location(&p->objects, p->library, HD_ANYWHERE), 0,
                       hd_points_to_location_node(p, HD_UNKNOWN_LOCATION));
}

/* A function whose address got out is called with anything. */
static void open_function(struct hd_points_to *p, uint32_t function)
{
    LLVMValueRef value = p->code->functions[function].value;
    if (p->called_from_outside[function])
        return;
    p->called_from_outside[function] = true;
    for (unsigned i = 0; i < LLVMCountParams(value); i++)
        hd_solver_add(p->solver, hd_points_to_node(p, LLVMGetParam(value, i)),
                      HD_UNKNOWN_LOCATION);
    if (p->variadic[function])
        hd_solver_hold(p->solver,
                       hd_objects_location(&p->objects, p->variadic[function], HD_ANYWHERE), 0,
                       hd_points_to_location_node(p, HD_UNKNOWN_LOCATION));
    hd_solver_copy(p->solver, p->results[function], HD_ESCAPE);
}

static void on_location(void *context, uint32_t watch, uint32_t location)
{
    struct hd_points_to *p = context;
    const struct hd_abstract *object = &p->objects.items[p->objects.locations[location].object];
    bool is_function = object->kind == HD_OBJECT_FUNCTION;
    if (watch == WATCH_ESCAPE) {
        if (is_function)
            open_function(p, hd_code_function(p->code, object->value));
    } else if (location == HD_UNKNOWN_LOCATION) {
        hd_points_to_call_unknown(p, watch);
    } else if (is_function) {
        hd_points_to_call(p, watch, hd_code_function(p->code, object->value));
    }
}

/* ---- the whole ---- */

static int by_point(const void *a, const void *b)
{
    const struct hd_edge *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

static int by_callee(const void *a, const void *b)
{
    const struct hd_edge *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return by_point(a, b);
}

static void sort_edges(struct hd_points_to *p)
{
    uint32_t n = 0;
    if (p->n_edges == 0)
        return;
    qsort(p->edges, p->n_edges, sizeof *p->edges, by_point);
    for (uint32_t i = 0; i < p->n_edges; i++)
        if (n == 0 || by_point(&p->edges[i], &p->edges[n - 1]) != 0)
            p->edges[n++] = p->edges[i];
    p->n_edges = n;
    p->by_function = hd_alloc(n * sizeof *p->by_function);
    memcpy(p->by_function, p->edges, n * sizeof *p->edges);
    qsort(p->by_function, n, sizeof *p->by_function, by_callee);
}

void hd_points_to_init(struct hd_points_to *p, const struct hd_code *code)
{
    hd_points_to_init_within(p, code, HD_POINTS_TO_BUDGET);
}

void hd_points_to_init_within(struct hd_points_to *p, const struct hd_code *code, uint64_t budget)
{
    *p = (struct hd_points_to){ .code = code };
    hd_objects_init(&p->objects, code->layout);
    hd_ptrmap_init(&p->nodes);
    hd_u64map_init(&p->edge_set);
    p->solver = hd_solver_create(&p->objects);
    hd_solver_limit(p->solver, budget);
    p->results = hd_alloc((code->n_functions + 1) * sizeof *p->results);
    p->variadic = hd_alloc((code->n_functions + 1) * sizeof *p->variadic);
    p->called_from_outside = hd_alloc(code->n_functions + 1);
    p->calls_unknown = hd_alloc(code->n_insts + 1);
    p->effects = hd_alloc((code->n_functions + 1) * sizeof *p->effects);
    p->libc = hd_alloc((code->n_functions + 1) * sizeof *p->libc);
    for (uint32_t i = 0; i < code->n_functions; i++) {
        if (hd_code_is_defined(code, i))
            continue;
        p->effects[i] = hd_points_to_row(code->functions[i].name);
        p->libc[i] = hd_libc_find(code->functions[i].name);
    }
    p->library = hd_objects_add(&p->objects, (struct hd_abstract){ .kind = HD_OBJECT_LIBRARY });
    p->open = LLVMGetNamedMetadata(code->module, "heddle.native", 13) != NULL;
    hd_solver_watch(p->solver, HD_ESCAPE, WATCH_ESCAPE);
    hd_points_to_collect(p);
    hd_solver_run(p->solver, on_location, p);
    sort_edges(p);
}

void hd_points_to_release(struct hd_points_to *p)
{
    hd_solver_destroy(p->solver);
    hd_objects_release(&p->objects);
    hd_ptrmap_release(&p->nodes);
    hd_u64map_release(&p->edge_set);
    free(p->results);
    free(p->variadic);
    free(p->effects);
    free(p->libc);
    free(p->called_from_outside);
    free(p->calls_unknown);
    free(p->callers);
    free(p->arg_nodes);
    free(p->edges);
    free(p->by_function);
}

void hd_points_to_settle(struct hd_points_to *p) { hd_solver_run(p->solver, on_location, p); }

const uint32_t *hd_points_to_get(struct hd_points_to *p, LLVMValueRef value, uint32_t *n)
{
    uint32_t node = hd_points_to_node(p, value);
    hd_points_to_settle(p);
    return hd_solver_get(p->solver, node, n);
}

const struct hd_edge *hd_points_to_edges(const struct hd_points_to *p, uint32_t point,
                                         uint32_t *n)
{
    uint32_t low = 0, high = p->n_edges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->edges[middle].point < point)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low;
    while (end < p->n_edges && p->edges[end].point == point)
        end++;
    *n = end - low;
    return p->edges ? p->edges + low : NULL;
}

const struct hd_edge *hd_points_to_callers(const struct hd_points_to *p, uint32_t function,
                                           uint32_t *n)
{
    uint32_t low = 0, high = p->n_edges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->by_function[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low;
    while (end < p->n_edges && p->by_function[end].function == function)
        end++;
    *n = end - low;
    return p->by_function ? p->by_function + low : NULL;
}
