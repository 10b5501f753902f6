/* The analysed module with a number for every function, block and instruction.
 *
 * The numbers follow the order of the module, which bitcode keeps: an instruction has the same
 * number when the program is instrumented and when its module is read back from the
 * executable.  A *point* is the number of an instruction.  Debug intrinsics have none: they
 * come and go with the way in which a module is held. */
#ifndef HD_ANALYSE_CODE_H
#define HD_ANALYSE_CODE_H

#include "base/err.h"
#include "base/ptrmap.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_NO_POINT UINT32_MAX

struct hd_code_function {
    LLVMValueRef value;
    const char *name;                /* the symbol */
    uint32_t first_block, end_block; /* equal for a declaration */
    uint32_t first, end;             /* points */
};

struct hd_code_block {
    LLVMBasicBlockRef value;
    uint32_t function;
    uint32_t first, end; /* points; end - 1 is the terminator */
};

struct hd_code {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct hd_code_function *functions;
    struct hd_code_block *blocks;
    LLVMValueRef *insts;
    uint32_t *block_of; /* by point */
    uint32_t n_functions, n_blocks, n_insts;
    struct hd_ptrmap ids; /* function, block or instruction -> number */
};

/* The module stays the caller's and must not change while the numbers are used. */
void hd_code_init(struct hd_code *code, LLVMModuleRef module);
void hd_code_release(struct hd_code *code);

uint32_t hd_code_function(const struct hd_code *code, LLVMValueRef function);
uint32_t hd_code_block(const struct hd_code *code, LLVMBasicBlockRef block);
uint32_t hd_code_point(const struct hd_code *code, LLVMValueRef inst);

static inline uint32_t hd_code_function_of(const struct hd_code *code, uint32_t point)
{
    return code->blocks[code->block_of[point]].function;
}

static inline bool hd_code_is_defined(const struct hd_code *code, uint32_t function)
{
    return code->functions[function].first_block != code->functions[function].end_block;
}

/* Is the function in a list that is run around main (llvm.global_ctors, llvm.global_dtors)? */
bool hd_code_is_listed(const struct hd_code *code, const char *list, uint32_t function);

/* Calls, invokes and callbrs alike. */
bool hd_code_is_call(LLVMValueRef inst);

/* The called function, through casts and aliases; NULL for indirect calls and assembly. */
LLVMValueRef hd_code_callee(LLVMValueRef call);

/* The symbol of what is called directly; "" when it is not known. */
const char *hd_code_callee_name(LLVMValueRef call);

/* Does the instruction say that something has failed, or mark a target? */
bool hd_code_is_failure(LLVMValueRef inst);

/* Where the instruction stands in the source; line 0 when that is not known.  The texts are the
 * module's and not NUL-terminated: *file_n and *dir_n are their lengths. */
struct hd_code_place {
    const char *file, *directory;
    unsigned file_n, directory_n, line, column;
};
struct hd_code_place hd_code_place(LLVMValueRef inst);

#endif
