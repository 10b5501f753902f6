/* Inline assembly while its instructions are made (assembly.c): what its registers contain, its
 * flags, and its accesses of memory. */
#ifndef HD_INSTRUMENT_ASSEMBLY_STATE_H
#define HD_INSTRUMENT_ASSEMBLY_STATE_H

#include "instrument/assembly_text.h"

#include <stdint.h>

/* A statement while its instructions are made. */
struct hd_asm_run {
    struct hd_asm_text text;
    LLVMBuilderRef b;
    LLVMContextRef context;
    LLVMValueRef now[HD_ASM_OPERANDS]; /* what registers contain; NULL: not known */
    LLVMValueRef zero, carry, sign;    /* flags; NULL: not known */
};

enum hd_asm_kind { HD_ASM_REGISTER, HD_ASM_PLACE, HD_ASM_NUMBER };

struct hd_asm_arg {
    enum hd_asm_kind kind;
    unsigned operand;     /* a register, or a place that is an operand */
    LLVMValueRef address; /* of a place */
    int64_t number;
    unsigned bits; /* that the text says; 0: it does not */
    bool chosen;   /* a place that the compiler may have put into a register */
};

/* The size that a letter says: "b", "w", "l". */
unsigned hd_asm_letter(char letter);

/* The type of an integer, and a number of it. */
LLVMTypeRef hd_asm_bits(const struct hd_asm_run *r, unsigned bits);
LLVMValueRef hd_asm_number(const struct hd_asm_run *r, unsigned bits, uint64_t n);

/* Reads an argument of an instruction: "$2", "${2:w}", "8($1)", "$$5". */
bool hd_asm_arg(const struct hd_asm_run *r, const char *text, struct hd_asm_arg *a);

/* Bits of an integer or pointer; 0: it is something else. */
unsigned hd_asm_width(LLVMTypeRef type);

/* The type of a register operand; NULL: it has none. */
LLVMTypeRef hd_asm_type(const struct hd_asm_run *r, unsigned k);

/* The low bits of a register; NULL: they are not known. */
LLVMValueRef hd_asm_get(const struct hd_asm_run *r, unsigned k, unsigned bits);

/* Writes the low bits of a register: 8 and 16 leave the others as they are, 32 clear them. */
bool hd_asm_put(struct hd_asm_run *r, unsigned k, unsigned bits, LLVMValueRef v);

/* The same of any argument; a memory operand is loaded. */
LLVMValueRef hd_asm_value(const struct hd_asm_run *r, const struct hd_asm_arg *a, unsigned bits);

bool hd_asm_set(struct hd_asm_run *r, const struct hd_asm_arg *a, unsigned bits, LLVMValueRef v);

/* Changes the destination; returns what it was, or NULL.  A memory operand is changed at once
 * if the instruction is locked, and otherwise by a load and a store. */
LLVMValueRef hd_asm_modify(struct hd_asm_run *r, const struct hd_asm_arg *to, unsigned bits,
                           bool locked, LLVMAtomicRMWBinOp op, LLVMValueRef v);

/* Sets the flags as the operation does. */
void hd_asm_flags(struct hd_asm_run *r, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef v);

/* The condition of a setCC or "=@ccCC" as a bit; NULL: it is another one, or not known. */
LLVMValueRef hd_asm_condition(const struct hd_asm_run *r, const char *name);

#endif
