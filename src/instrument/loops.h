/* The loops of a function: a header, and all that leads back to it. */
#ifndef HD_INSTRUMENT_LOOPS_H
#define HD_INSTRUMENT_LOOPS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum { HD_LOOP_BLOCKS = 32, HD_LOOP_LATCHES = 8 };

struct hd_loop {
    LLVMBasicBlockRef header;
    LLVMBasicBlockRef blocks[HD_LOOP_BLOCKS]; /* the header is the first */
    unsigned n;
    LLVMBasicBlockRef latches[HD_LOOP_LATCHES]; /* blocks that go back to the header */
    unsigned n_latches;
};

/* The loop that has this header.  False: there is none, it is too large, or it can be entered
 * elsewhere. */
bool hd_loop_find(struct hd_loop *l, LLVMBasicBlockRef header, LLVMValueRef function);

bool hd_loop_has(const struct hd_loop *l, LLVMBasicBlockRef block);
bool hd_loop_is_latch(const struct hd_loop *l, LLVMBasicBlockRef block);

/* Is the value computed in the loop? */
bool hd_loop_defines(const struct hd_loop *l, LLVMValueRef value);

/* Is there a loop in the loop? */
bool hd_loop_nests(const struct hd_loop *l);

/* The first instruction of the header that is no phi. */
LLVMValueRef hd_loop_first(const struct hd_loop *l);

/* Assembly that only pauses the processor while a thread spins. */
bool hd_loop_polite(LLVMValueRef assembly);

#endif
