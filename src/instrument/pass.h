/* Shared by the files of the instrumenter: the module being rewritten, its types and hooks. */
#ifndef HD_INSTRUMENT_PASS_H
#define HD_INSTRUMENT_PASS_H

#include "base/err.h"
#include "base/str.h"
#include "instrument/plan.h"
#include "instrument/sites.h"
#include "instrument/stats.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* A phi without users, and its replacement.  It stays in the function until
 * hd_pass_remove_moved, because tables of the analysis name it. */
struct hd_moved {
    LLVMValueRef phi, by[2]; /* by[1]: NULL, or the part that comes from inside the loop */
};

struct hd_pass {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef i8, i32, i64, pointer, nothing;
    LLVMValueRef function; /* being rewritten */
    LLVMValueRef call_site;
    LLVMValueRef frame_head;          /* frames.c: the running thread's innermost record */
    LLVMValueRef frame, frame_caller; /* the function's, and its caller's; NULL: none so far */
    struct hd_ptrmap framed;          /* calls that need a record */
    struct hd_moved *moved;           /* phis of the function that await.c has replaced */
    size_t n_moved, moved_room;
    struct hd_sites sites;
    struct hd_strs externals; /* functions whose effects are not known */
    struct hd_strs unseen;    /* those of them that may be called where no hook announces it */
    uint32_t told_apart;      /* of hd_program_info */
    struct hd_instrument_stats stats;
};

void hd_pass_init(struct hd_pass *p, LLVMModuleRef module);
void hd_pass_release(struct hd_pass *p);

/* New instructions go in front of `inst` and carry its debug location. */
void hd_pass_before(struct hd_pass *p, LLVMValueRef inst);

/* Calls hook `name`, which is declared from the types of `args` when it is new.  Integers of
 * less than 32 bits are zero-extended, as the C side expects. */
LLVMValueRef hd_pass_hook(struct hd_pass *p, const char *name, LLVMTypeRef result,
                          LLVMValueRef *args, unsigned n);

/* Log the bytes at the address before the builder's position: they are about to change where no
 * other thread can see it. */
void hd_pass_keep(struct hd_pass *p, LLVMValueRef address, LLVMValueRef bytes);

/* Ends a function of the same type as `callee` by calling that with its own arguments. */
void hd_pass_forward(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef callee);

/* "__heddle_load" and 4 -> "__heddle_load4"; the storage is static. */
const char *hd_pass_sized(const char *stem, uint64_t bytes);

LLVMValueRef hd_pass_u32(struct hd_pass *p, uint32_t value);
LLVMValueRef hd_pass_u64(struct hd_pass *p, uint64_t value);

/* The stack pointer, where the builder stands. */
LLVMValueRef hd_pass_stack_pointer(struct hd_pass *p);
/* A new slot of the type in the function's first block. */
LLVMValueRef hd_pass_slot(struct hd_pass *p, LLVMTypeRef type);

uint64_t hd_pass_bytes(struct hd_pass *p, LLVMTypeRef type); /* that a load of it reads */

/* The integer type through which a value of that type is handed to a hook, NULL when it has to
 * go through memory (odd sizes, aggregates, padding). */
LLVMTypeRef hd_pass_carrier(struct hd_pass *p, LLVMTypeRef type);
LLVMValueRef hd_pass_to_carrier(struct hd_pass *p, LLVMValueRef value, LLVMTypeRef carrier);
LLVMValueRef hd_pass_from_carrier(struct hd_pass *p, LLVMValueRef value, LLVMTypeRef type);

void hd_pass_move(struct hd_pass *p, LLVMValueRef phi, LLVMValueRef by, LLVMValueRef part);
void hd_pass_remove_moved(struct hd_pass *p);

/* `inst` has been replaced by `value` (NULL: it has no users). */
void hd_pass_replace(LLVMValueRef inst, LLVMValueRef value);

/* Declares or finds a C library function, called through its plain name. */
LLVMValueRef hd_pass_libc(struct hd_pass *p, const char *name, LLVMTypeRef result,
                          LLVMValueRef *args, unsigned n);

#endif
