/* Values that were never written: which there may be, and what the program does with them
 * (docs/design/014-shadow.md).
 *
 * 1. hd_undefined_mark       while every local is a stack slot: a scalar local that is declared
 *                            without an initial value gets a value of its own, a marked freeze
 *                            instruction.  Promotion brings it to wherever the variable is read
 *                            before it is written.
 * 2. hd_undefined_init       of the whole program: which values may be without a definition
 *                            (undefined_facts.c)
 * 3. hd_undefined_function   between planning and rewriting of a function: every such value
 *                            gets a second one, its *bits*, which says which of its bits are
 *                            not defined, and what decides something is checked */
#ifndef HD_INSTRUMENT_UNDEFINED_H
#define HD_INSTRUMENT_UNDEFINED_H

#include "analyse/facts.h"
#include "instrument/pass.h"

struct hd_undefined {
    struct hd_pass *p;
    const struct hd_facts *facts;
    struct hd_points_to *points_to;
    unsigned mark, annotation; /* metadata kinds */
    struct hd_ptrmap maybe;    /* value -> 1: it may be without a definition */
    bool *objects;             /* by abstract object: its bytes may be */
    bool spoilt_escaped;       /* those of all escaped objects may be */
    bool *results;             /* by function: what it returns may be */
    uint64_t *params;          /* by function: which of its first parameters may be */
    bool *closed;              /* by function: every call of it is direct, in this module */
    LLVMValueRef argument_bits, result_bits, check; /* declared on first use */
    /* of the current function: */
    struct hd_ptrmap bits;   /* value -> its bits */
    struct hd_ptrmap sites;  /* load or mark -> its site */
    struct hd_ptrmap hooked; /* access -> 1: the runtime performs it */
    LLVMValueRef *phis;      /* whose bits are made but not complete */
    size_t n_phis, phi_room;
    struct {
        LLVMValueRef store, before;
    } *stores; /* of bits of arguments and results */
    size_t n_stores, store_room;
};

void hd_undefined_mark(LLVMModuleRef module);
/* Remove marks without readers. */
void hd_undefined_sweep(LLVMModuleRef module);

void hd_undefined_init(struct hd_undefined *u, struct hd_pass *p, struct hd_facts *facts);
void hd_undefined_release(struct hd_undefined *u);
void hd_undefined_function(struct hd_undefined *u, const struct hd_plan *plan);
/* After everything else has been put into the function. */
void hd_undefined_settle(struct hd_undefined *u);

/* ---- for the files that make it ---- */

/* Can bits be kept for values of the type? */
bool hd_undefined_tracks(struct hd_pass *p, LLVMTypeRef type);
static inline bool hd_undefined_may(const struct hd_undefined *u, LLVMValueRef value)
{
    return hd_ptrmap_get(&u->maybe, value) != NULL;
}
bool hd_undefined_is_mark(const struct hd_undefined *u, LLVMValueRef value);
/* May the pointer lead to bytes without a definition? */
bool hd_undefined_memory(struct hd_undefined *u, LLVMValueRef pointer);
/* Is the store, or the call of memset, what the compiler adds to a declaration? */
bool hd_undefined_is_declaration(const struct hd_undefined *u, LLVMValueRef inst,
                                 LLVMValueRef address);
/* Is it arithmetic without memory, whose result may be undefined when an operand is? */
bool hd_undefined_is_arithmetic(LLVMValueRef inst);
/* The function of this module that is called, HD_NO_POINT: none is known. */
uint32_t hd_undefined_callee(const struct hd_undefined *u, LLVMValueRef call);

/* The integer type, or structure of them, of the bits of a value. */
LLVMTypeRef hd_bits_type(struct hd_pass *p, LLVMTypeRef type);
/* The bits of any value; a constant zero when it is always defined. */
LLVMValueRef hd_bits_of(struct hd_undefined *u, LLVMValueRef value);
/* The site of a load or a mark, which names the place of a value's origin. */
uint32_t hd_undefined_site(struct hd_undefined *u, LLVMValueRef inst);
/* Completes the phis that were begun. */
void hd_bits_finish(struct hd_undefined *u);
/* Are any of them set?  At the builder's place. */
LLVMValueRef hd_bits_any(struct hd_pass *p, LLVMValueRef bits);

/* Calls of known library functions: what they read and write (undefined_calls.c). */
void hd_undefined_call(struct hd_undefined *u, LLVMValueRef call);
void hd_undefined_check(struct hd_undefined *u, LLVMValueRef value, uint32_t use,
                        LLVMValueRef before);

#endif
