/* The decisions, separate from the rewriting: which memory an access touches, and so how it is
 * instrumented.  Nothing here changes the module. */
#ifndef HD_INSTRUMENT_PLAN_H
#define HD_INSTRUMENT_PLAN_H

#include "analyse/sharing.h"
#include "base/ptrmap.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

enum hd_region {
    HD_REGION_SHARED,   /* another thread may see it: hooked */
    HD_REGION_PRIVATE,  /* a local whose address goes nowhere: left alone */
    HD_REGION_CONSTANT, /* never written: left alone */
    HD_REGION_THREAD,   /* thread-local, its address goes nowhere: stores are kept */
};

enum hd_plan_kind {
    HD_PLAN_LOAD,
    HD_PLAN_STORE,
    HD_PLAN_RMW,
    HD_PLAN_CAS,
    HD_PLAN_FENCE,
    HD_PLAN_BARRIER, /* an atomic access that is left alone, but a barrier to x86 */
    HD_PLAN_COPY,    /* llvm.memcpy, llvm.memmove */
    HD_PLAN_FILL,    /* llvm.memset */
    HD_PLAN_CALL,
};

struct hd_planned {
    LLVMValueRef inst;
    enum hd_plan_kind kind;
    enum hd_region region; /* of the address; COPY: of the destination */
    enum hd_region source; /* COPY: of the source */
};

struct hd_plan {
    bool handlers;       /* there may be signal handlers, which use thread-local memory, too */
    bool hands_on_errno; /* its address goes somewhere */
    struct hd_planned *items; /* of the current function, in order */
    size_t n, room;
    size_t left;                      /* accesses of the module that stay as they are */
    struct hd_ptrmap escapes;         /* object -> 1: its address goes nowhere, 2: it escapes */
    unsigned annotation;              /* metadata kind */
    const struct hd_sharing *sharing; /* of the whole program; NULL: not known */
    struct hd_ptrmap arguments; /* call of the current function -> regions of its arguments */
};

/* Looks at the whole module for thread-local variables; must come before any rewriting.
 * `sharing` may be NULL: then only what a function shows by itself is left out. */
void hd_plan_init(struct hd_plan *plan, LLVMModuleRef module, const struct hd_sharing *sharing);
void hd_plan_release(struct hd_plan *plan);

/* Decides about every instruction of the function; items is filled again. */
void hd_plan_function(struct hd_plan *plan, LLVMValueRef function);

/* Does the local's address escape?  Asked before the function is rewritten. */
bool hd_plan_escapes(struct hd_plan *plan, LLVMValueRef slot);

/* What a pointer points into, as far as its function shows. */
enum hd_region hd_plan_region(struct hd_plan *plan, LLVMValueRef pointer);

/* The region of argument i of a call in the planned function, by all that is known.  The answer
 * was found when the function was planned: the argument may have been rewritten since. */
enum hd_region hd_plan_argument(struct hd_plan *plan, LLVMValueRef call, unsigned i);

/* The called function, through casts; NULL for indirect calls and inline assembly. */
LLVMValueRef hd_plan_callee(LLVMValueRef call);

#endif
