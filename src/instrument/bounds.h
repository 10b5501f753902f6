/* Accesses outside of the variable that they are made through (docs/design/014-shadow.md).
 *
 * Where the function shows the variable (`a[i]`), the access is compared with its extent.
 * Where it does not (`p[i]`), the runtime looks the address up: there are zones around
 * variables that belong to none, and the memory of a local whose scope has ended belongs to
 * none either. */
#ifndef HD_INSTRUMENT_BOUNDS_H
#define HD_INSTRUMENT_BOUNDS_H

#include "analyse/facts.h"
#include "instrument/pass.h"

struct hd_local {
    LLVMValueRef slot;
    uint32_t name; /* in the table of strings; 0: the source has none for it */
    bool dynamic;  /* dynamic.c */
    bool zones;    /* it gets zones; otherwise the old zones of its place are cleared */
    bool escapes;  /* its address escapes; otherwise it is only passed to functions */
    bool shared;   /* other threads may use it, so that its end is a step */
};

struct hd_bounds {
    struct hd_pass *p;
    const struct hd_facts *facts;
    struct hd_points_to *points_to;
    LLVMValueRef check[2];   /* by whether the array grows; made on first use */
    struct hd_local *locals; /* of the current function */
    unsigned n_locals;
    struct hd_ptrmap late; /* its accesses, and locals, of hd_scopes_late() */
    bool knows_escaped, escaped_global, escaped_any; /* variables with zones have escaped */
};

/* `n` bytes of what argument `arg` of the call, or of an intrinsic, points to are read or
 * written.  The check is placed where the builder stands. */
void hd_bounds_range(struct hd_bounds *b, LLVMValueRef inst, unsigned arg, LLVMValueRef n);
/* Is the argument a pointer that may lead to a variable? */
bool hd_bounds_concerns(struct hd_bounds *b, LLVMValueRef call, unsigned i);
/* The variable whose address it is: that of a thread-local one is the result of a call. */
LLVMValueRef hd_bounds_variable(LLVMValueRef address);
/* arrays.c: the number of elements of the array that the address computation indexes, by
 * *index; 0: it indexes none, or one whose declaration does not say how long it is.  *grows: in
 * a block of the heap it may be longer. */
uint64_t hd_arrays_length(struct hd_pass *p, LLVMValueRef gep, LLVMValueRef *index, bool *grows);
/* The size of the array that a function for strings is given the address of, and its beginning;
 * 0: not known. */
uint64_t hd_arrays_text(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef *base);
/* The size of the variable that the pointer leads into at a constant place; 0: not known.
 * *name: its name in the table of strings. */
uint64_t hd_bounds_of_variable(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef *base,
                               uint32_t *name);
/* The size of the array inside a variable that a function for strings is given the address of;
 * 0: it is none, or is the variable. */
uint64_t hd_bounds_of_member(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef *base);
/* A text of `n` bytes is written there, which must not leave the array. */
void hd_bounds_member(struct hd_bounds *b, LLVMValueRef call, unsigned arg, LLVMValueRef n);
/* bounds_calls.c: what a call of a library function, or of an intrinsic, touches. */
void hd_bounds_call(struct hd_bounds *b, LLVMValueRef call);

/* Between planning and rewriting of a function: the checks of its accesses, */
void hd_bounds_function(struct hd_bounds *b, struct hd_plan *plan);
/* and which of its locals get zones.  Behind the rewriting: the zones. */
void hd_zones_find(struct hd_bounds *b, struct hd_plan *plan);
void hd_zones_function(struct hd_bounds *b);

/* What the source calls the local, in the table of strings; 0: nothing. */
uint32_t hd_zones_name_id(struct hd_pass *p, LLVMValueRef slot);
/* The zone in front of the local holds its name for messages. */
void hd_zones_name(struct hd_pass *p, LLVMValueRef slot, LLVMValueRef inside);

/* ---- locals whose size is known only when they begin (dynamic.c) ---- */

/* Is the slot one?  All others stand at the beginning of the function, with a constant size. */
bool hd_dynamic_is(LLVMValueRef slot);
/* Its size, where the builder stands. */
LLVMValueRef hd_dynamic_bytes(struct hd_pass *p, LLVMValueRef slot);
void hd_dynamic_begins(struct hd_pass *p, LLVMValueRef slot);
/* Behind them all: the ends of those of the function.  `shared`: one that other threads may
 * use, NULL: there is none. */
void hd_dynamic_ends(struct hd_pass *p, const struct hd_local *shared);
/* variadic.c: the arguments of variadic functions. */
void hd_variadic_function(struct hd_pass *p);

/* Does the scope of the local end before its function does? */
bool hd_zones_end_early(LLVMValueRef slot);

/* Its name, in the table of strings. */
uint32_t hd_zones_name_of_variable(struct hd_pass *p, LLVMValueRef g);
/* Does the global variable get a zone after it? */
bool hd_zones_has(LLVMValueRef g);
/* After everything else: the zones after variables of the program, and the list of them. */
void hd_zones_globals(struct hd_pass *p);

#endif
