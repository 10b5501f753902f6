/* The text of inline assembly: its instructions, and what its operands stand for. */
#ifndef HD_INSTRUMENT_ASSEMBLY_TEXT_H
#define HD_INSTRUMENT_ASSEMBLY_TEXT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum { HD_ASM_OPERANDS = 16, HD_ASM_INSTRUCTIONS = 8, HD_ASM_ARGS = 3, HD_ASM_TEXT = 32 };

struct hd_asm_operand {
    char text[HD_ASM_TEXT]; /* its constraint */
    LLVMValueRef value;     /* of an input, the address of a place; NULL: an output */
    unsigned arg;           /* of the call, if there is a value */
    bool output, place;
    unsigned same; /* the operand that is in the same register; itself if there is none */
};

struct hd_asm_instruction {
    char name[HD_ASM_TEXT];
    bool locked;
    unsigned n;
    char args[HD_ASM_ARGS][HD_ASM_TEXT];
};

struct hd_asm_text {
    LLVMValueRef call;
    struct hd_asm_operand operands[HD_ASM_OPERANDS];
    unsigned n_operands;
    /* Without those that do nothing: pause, nop, lfence, sfence. */
    struct hd_asm_instruction instructions[HD_ASM_INSTRUCTIONS];
    unsigned n;
};

/* False if it is of another form, or too large. */
bool hd_asm_read(struct hd_asm_text *text, LLVMValueRef call);

#endif
