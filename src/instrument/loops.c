#include "instrument/loops.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

bool hd_loop_has(const struct hd_loop *l, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->blocks[i] == block)
            return true;
    return false;
}

bool hd_loop_is_latch(const struct hd_loop *l, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < l->n_latches; i++)
        if (l->latches[i] == block)
            return true;
    return false;
}

bool hd_loop_defines(const struct hd_loop *l, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && hd_loop_has(l, LLVMGetInstructionParent(value));
}

LLVMValueRef hd_loop_first(const struct hd_loop *l)
{
    LLVMValueRef first = LLVMGetFirstInstruction(l->header);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    return first;
}

/* Blocks from which `block` is reached in one step: the users of its name that are branches. */
static unsigned predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef *out, unsigned room)
{
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        if (n == room)
            return room + 1;
        out[n++] = LLVMGetInstructionParent(user);
    }
    return n;
}

/* All blocks between the header and its latches.  False: there are too many, or the loop can be
 * entered elsewhere. */
static bool collect(struct hd_loop *l, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    l->blocks[0] = l->header;
    l->n = 1;
    for (unsigned i = 0; i < l->n_latches; i++)
        if (!hd_loop_has(l, l->latches[i])) {
            if (l->n == HD_LOOP_BLOCKS)
                return false;
            l->blocks[l->n++] = l->latches[i];
        }
    for (unsigned i = 1; i < l->n; i++) {
        LLVMBasicBlockRef from[HD_LOOP_BLOCKS];
        unsigned n = predecessors(l->blocks[i], from, HD_LOOP_BLOCKS);
        if (l->blocks[i] == entry || n > HD_LOOP_BLOCKS)
            return false;
        for (unsigned k = 0; k < n; k++) {
            if (hd_loop_has(l, from[k]))
                continue;
            if (l->n == HD_LOOP_BLOCKS)
                return false;
            l->blocks[l->n++] = from[k];
        }
    }
    return true;
}

/* Latches are predecessors of the header that the header comes before on every way. */
static bool find_latches(struct hd_loop *l, LLVMValueRef function)
{
    LLVMBasicBlockRef from[HD_LOOP_LATCHES];
    unsigned n = predecessors(l->header, from, HD_LOOP_LATCHES);
    l->n_latches = 0;
    if (n > HD_LOOP_LATCHES || l->header == LLVMGetEntryBasicBlock(function))
        return false;
    for (unsigned i = 0; i < n; i++) {
        struct hd_loop one = { .header = l->header, .latches = { from[i] }, .n_latches = 1 };
        for (unsigned k = 0; k < i; k++)
            if (from[k] == from[i])
                return false; /* two edges from one block */
        if (collect(&one, function))
            l->latches[l->n_latches++] = from[i];
    }
    return l->n_latches > 0;
}

bool hd_loop_find(struct hd_loop *l, LLVMBasicBlockRef header, LLVMValueRef function)
{
    *l = (struct hd_loop){ .header = header };
    return find_latches(l, function) && collect(l, function);
}

bool hd_loop_nests(const struct hd_loop *l)
{
    unsigned depth[HD_LOOP_BLOCKS] = { 0 };
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        if (round > l->n)
            return true; /* the paths keep growing */
        changed = false;
        for (unsigned i = 0; i < l->n; i++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(l->blocks[i]);
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
                for (unsigned k = 1; k < l->n; k++)
                    if (LLVMGetSuccessor(end, s) == l->blocks[k] && depth[k] < depth[i] + 1) {
                        depth[k] = depth[i] + 1;
                        changed = true;
                    }
        }
    }
    return false;
}

bool hd_loop_polite(LLVMValueRef assembly)
{
#if LLVM_VERSION_MAJOR >= 18
    static const char *const words[] = { "pause", "nop", "rep", "yield", "lfence", "sfence" };
    size_t n;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &n), *end = code + n;
    while (code += strspn(code, " \t\n;"), code < end && *code) {
        size_t length = strcspn(code, " \t\n;");
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            known |= strlen(words[i]) == length && strncmp(code, words[i], length) == 0;
        if (!known)
            return false;
        code += length;
    }
    return true;
#else
    (void)assembly;
    return false;
#endif
}
