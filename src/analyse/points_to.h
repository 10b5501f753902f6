/* Points-to analysis and call graph: Andersen's analysis of the whole program, field-sensitive,
 * with heap objects by allocation site; functions are found on the way.
 *
 * Integers carry pointers like pointers do (so casts and copies by bytes are followed);
 * arithmetic on them reaches anywhere in the same objects.  Unknown code may keep, change and
 * call what it is given (solver.h: the unknown). */
#ifndef HD_ANALYSE_POINTS_TO_H
#define HD_ANALYSE_POINTS_TO_H

#include "analyse/libc.h"
#include "analyse/solver.h"

enum hd_edge_kind {
    HD_EDGE_CALL,     /* the function runs before the next instruction */
    HD_EDGE_CALLBACK, /* the called library function may call it before it returns */
    HD_EDGE_LATER,    /* the library function may call it then, or at any time, in any thread */
    HD_EDGE_SPAWN,    /* it runs as a new thread */
};

struct hd_edge {
    uint32_t point, function;
    enum hd_edge_kind kind;
};

/* A call with its arguments. */
struct hd_caller {
    uint32_t point;
    enum hd_edge_kind kind;
    uint32_t args, n_args; /* in arg_nodes */
    uint32_t result;       /* node */
};

struct hd_points_to {
    const struct hd_code *code;
    struct hd_objects objects;
    struct hd_solver *solver;
    struct hd_ptrmap nodes;      /* value -> node + 1 */
    uint32_t *results;           /* by function: node */
    uint32_t *variadic;          /* by function: object, 0: none */
    const char **effects;        /* by function: its row of pointers.def, NULL: none */
    const struct hd_libc **libc; /* by function: its row of libc.def, NULL: none */
    bool *called_from_outside;   /* by function */
    bool *calls_unknown;         /* by point: it may call code that is not here */
    struct hd_caller *callers;
    uint32_t n_callers, caller_room;
    uint32_t *arg_nodes, n_arg_nodes, arg_room;
    struct hd_edge *edges;       /* sorted by point when the analysis is done */
    struct hd_edge *by_function; /* the same, sorted by function */
    uint32_t n_edges, edge_room;
    struct hd_u64map edge_set;
    uint32_t library; /* object */
    bool open;        /* native code is linked in that may name what is global here */
};

/* Some ten seconds of work; sqlite needs a fraction. */
#define HD_POINTS_TO_BUDGET 1000000000ull

void hd_points_to_init(struct hd_points_to *p, const struct hd_code *code);
/* Past the budget (solver.h) every object has escaped and every pointer may be the unknown. */
void hd_points_to_init_within(struct hd_points_to *p, const struct hd_code *code,
                              uint64_t budget);
void hd_points_to_release(struct hd_points_to *p);

/* The locations that a pointer (or any other value) may hold.  Constants are allowed. */
const uint32_t *hd_points_to_get(struct hd_points_to *p, LLVMValueRef value, uint32_t *n);

/* Solves what new nodes (of constants that no instruction used) have added. */
void hd_points_to_settle(struct hd_points_to *p);

/* The edges that begin at the point. */
const struct hd_edge *hd_points_to_edges(const struct hd_points_to *p, uint32_t point,
                                         uint32_t *n);

/* The edges that lead to the function. */
const struct hd_edge *hd_points_to_callers(const struct hd_points_to *p, uint32_t function,
                                           uint32_t *n);

/* ---- for the files that make it ---- */

uint32_t hd_points_to_node(struct hd_points_to *p, LLVMValueRef value);
uint32_t hd_points_to_location_node(struct hd_points_to *p, uint32_t location);

/* A new caller; its arguments follow with hd_points_to_arg(). */
uint32_t hd_points_to_caller(struct hd_points_to *p, uint32_t point, enum hd_edge_kind kind,
                             uint32_t result);
void hd_points_to_arg(struct hd_points_to *p, uint32_t caller, uint32_t node);

/* The caller may call what is in the set. */
void hd_points_to_calls(struct hd_points_to *p, uint32_t caller, uint32_t callee_node);
/* The caller may call that function. */
void hd_points_to_call(struct hd_points_to *p, uint32_t caller, uint32_t function);
/* The caller may call code that is not here. */
void hd_points_to_call_unknown(struct hd_points_to *p, uint32_t caller);

/* The caller calls a function that is only declared (pointer_calls.c). */
void hd_points_to_external(struct hd_points_to *p, uint32_t caller, LLVMValueRef function);

/* The effects of pointers.def; NULL: no row. */
const char *hd_points_to_row(const char *name);

/* The constraints of every function and variable (pointer_code.c). */
void hd_points_to_collect(struct hd_points_to *p);

/* How the instruction or constant moves its first operand. */
struct hd_offset hd_points_to_offset(const struct hd_code *code, LLVMValueRef gep);

#endif
