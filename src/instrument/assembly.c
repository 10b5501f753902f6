/* Inline assembly of x86: libraries older than C11 have their atomic operations in macros.
 *
 * The instructions of a statement become LLVM's, one after the other, so that they are
 * instrumented as the program's own and other threads may run between them:
 *
 *   lock add, sub, and, or, xor, not, inc, dec, xadd, bts, btr, btc, cmpxchg, cmpxchg8b,
 *   cmpxchg16b, and xchg      seq_cst, between two seq_cst fences: a full barrier
 *   the same without lock     a load, and a store
 *   mov, cmp, test, bt        a load acquires and a store releases, as on x86
 *   mfence, and a locked instruction that changes nothing of the stack
 *                             a seq_cst fence
 *   the request of valgrind.h (four rolq, xchgq %rbx, %rbx)
 *                             nothing: the result is its default
 *   setCC, sbb of a register with itself, and outputs "=@ccCC"
 *                             the zero, carry and sign flags
 *
 * A statement with anything else is left alone as a whole, and named in the result where it may
 * touch memory (calls.c). */
#include "instrument/assembly.h"

#include "base/str.h"
#include "instrument/assembly_state.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum what {
    CHANGE, /* source, destination: `op`, with flags */
    STEP,   /* destination: the same with 1 */
    FLIP,   /* destination: no flags */
    MOVE,
    COMPARE, /* as CHANGE, but the destination stays as it is */
    BIT,     /* number of a bit, destination: the bit is in the carry flag */
    SWAP,
    FETCH_ADD,
    EXCHANGE_IF,
    EXCHANGE_PAIR_IF, /* `bits` each */
    SUBTRACT_CARRY,
    FENCE,
};

/* The instructions; a letter for the size may follow the name. */
static const struct row {
    const char *name;
    enum what what;
    LLVMAtomicRMWBinOp op;
    unsigned bits;
} rows[] = {
    { "add", CHANGE, LLVMAtomicRMWBinOpAdd, 0 },
    { "sub", CHANGE, LLVMAtomicRMWBinOpSub, 0 },
    { "and", CHANGE, LLVMAtomicRMWBinOpAnd, 0 },
    { "or", CHANGE, LLVMAtomicRMWBinOpOr, 0 },
    { "xor", CHANGE, LLVMAtomicRMWBinOpXor, 0 },
    { "inc", STEP, LLVMAtomicRMWBinOpAdd, 0 },
    { "dec", STEP, LLVMAtomicRMWBinOpSub, 0 },
    { "not", FLIP, LLVMAtomicRMWBinOpXor, 0 },
    { "mov", MOVE, LLVMAtomicRMWBinOpXchg, 0 },
    { "cmp", COMPARE, LLVMAtomicRMWBinOpSub, 0 },
    { "test", COMPARE, LLVMAtomicRMWBinOpAnd, 0 },
    { "bt", BIT, LLVMAtomicRMWBinOpXchg, 0 },
    { "bts", BIT, LLVMAtomicRMWBinOpOr, 0 },
    { "btr", BIT, LLVMAtomicRMWBinOpAnd, 0 },
    { "btc", BIT, LLVMAtomicRMWBinOpXor, 0 },
    { "xchg", SWAP, LLVMAtomicRMWBinOpXchg, 0 },
    { "xadd", FETCH_ADD, LLVMAtomicRMWBinOpAdd, 0 },
    { "cmpxchg", EXCHANGE_IF, LLVMAtomicRMWBinOpXchg, 0 },
    { "cmpxchg8b", EXCHANGE_PAIR_IF, LLVMAtomicRMWBinOpXchg, 32 },
    { "cmpxchg16b", EXCHANGE_PAIR_IF, LLVMAtomicRMWBinOpXchg, 64 },
    { "sbb", SUBTRACT_CARRY, LLVMAtomicRMWBinOpSub, 0 },
    { "mfence", FENCE, LLVMAtomicRMWBinOpXchg, 0 },
};

/* ---- instructions ---- */

/* The register operand of that name: "={ax}" or "{ax}"; HD_ASM_OPERANDS: there is none. */
static unsigned register_named(const struct hd_asm_run *r, const char *name)
{
    for (unsigned i = 0; i < r->text.n_operands; i++) {
        const struct hd_asm_operand *o = &r->text.operands[i];
        const char *at = o->text + strspn(o->text, "=&");
        if (!o->place && at[0] == '{' && strncmp(at + 1, name, 2) == 0 && at[3] == '}')
            return o->same;
    }
    return HD_ASM_OPERANDS;
}

/* Code for an exchange of 16 bytes, which the program has already: without it the compiler
 * calls a library.  All functions get it, because they may be put into each other. */
static void allow_wide(LLVMValueRef function)
{
    static const char name[] = "target-features";
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef old = LLVMGetStringAttributeAtIndex(f, all, name, sizeof name - 1);
        unsigned n = 0;
        const char *text = old ? LLVMGetStringAttributeValue(old, &n) : "";
        if (LLVMIsDeclaration(f) || memmem(text, n, "+cx16", 5))
            continue;
        char *more = hd_str_format("%.*s%s+cx16", (int)n, text, n ? "," : "");
        LLVMAddAttributeAtIndex(f, all,
                                LLVMCreateStringAttribute(LLVMGetModuleContext(module), name,
                                                          sizeof name - 1, more,
                                                          (unsigned)strlen(more)));
        free(more);
    }
}

static LLVMValueRef exchange_if(const struct hd_asm_run *r, const struct hd_asm_arg *place,
                                LLVMValueRef expected, LLVMValueRef now)
{
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    return LLVMBuildAtomicCmpXchg(r->b, place->address, expected, now, order, order, false);
}

/* The flags other than zero are not used after it. */
static void exchanged(struct hd_asm_run *r, LLVMValueRef pair)
{
    r->zero = LLVMBuildExtractValue(r->b, pair, 1, "");
    r->carry = r->sign = NULL;
}

/* cmpxchg new, place: the accumulator has what is expected, and gets what was there. */
static bool run_exchange_if(struct hd_asm_run *r, const struct hd_asm_arg *from,
                            const struct hd_asm_arg *to, unsigned bits)
{
    unsigned accumulator = register_named(r, "ax");
    LLVMValueRef expected = hd_asm_get(r, accumulator, bits);
    LLVMValueRef now = expected && from->kind != HD_ASM_PLACE ? hd_asm_value(r, from, bits)
                                                              : NULL;
    if (!now || to->kind != HD_ASM_PLACE)
        return false;
    LLVMValueRef pair = exchange_if(r, to, expected, now);
    exchanged(r, pair);
    return hd_asm_put(r, accumulator, bits, LLVMBuildExtractValue(r->b, pair, 0, ""));
}

/* Two registers as one number. */
static LLVMValueRef joined(const struct hd_asm_run *r, unsigned low, unsigned high, unsigned bits)
{
    LLVMValueRef a = hd_asm_get(r, low, bits), b = hd_asm_get(r, high, bits);
    if (!a || !b)
        return NULL;
    a = LLVMBuildZExt(r->b, a, hd_asm_bits(r, 2 * bits), "");
    b = LLVMBuildZExt(r->b, b, hd_asm_bits(r, 2 * bits), "");
    return LLVMBuildOr(r->b, a, LLVMBuildShl(r->b, b, hd_asm_number(r, 2 * bits, bits), ""), "");
}

/* cmpxchg16b place: rdx:rax is expected and gets what was there, rcx:rbx is new. */
static bool run_exchange_pair(struct hd_asm_run *r, const struct hd_asm_arg *to, unsigned bits)
{
    unsigned low = register_named(r, "ax"), high = register_named(r, "dx");
    LLVMValueRef expected = joined(r, low, high, bits);
    LLVMValueRef now = joined(r, register_named(r, "bx"), register_named(r, "cx"), bits);
    if (!expected || !now || to->kind != HD_ASM_PLACE)
        return false;
    LLVMValueRef pair = exchange_if(r, to, expected, now);
    if (bits == 64)
        allow_wide(LLVMGetBasicBlockParent(LLVMGetInstructionParent(r->text.call)));
    LLVMValueRef old = LLVMBuildExtractValue(r->b, pair, 0, "");
    LLVMValueRef above = LLVMBuildLShr(r->b, old, hd_asm_number(r, 2 * bits, bits), "");
    exchanged(r, pair);
    return hd_asm_put(r, low, bits, LLVMBuildTrunc(r->b, old, hd_asm_bits(r, bits), "")) &&
           hd_asm_put(r, high, bits, LLVMBuildTrunc(r->b, above, hd_asm_bits(r, bits), ""));
}

/* The number of a bit in a register counts from the place on, also beyond it and below. */
static bool run_bit(struct hd_asm_run *r, const struct row *row, const struct hd_asm_arg *from,
                    const struct hd_asm_arg *to, unsigned bits, bool locked)
{
    LLVMValueRef bit = from->kind == HD_ASM_PLACE ? NULL : hd_asm_value(r, from, bits);
    struct hd_asm_arg at = *to;
    if (!bit || bits == 8)
        return false;
    LLVMValueRef inside = LLVMBuildAnd(r->b, bit, hd_asm_number(r, bits, bits - 1), "");
    bool immediate = from->kind == HD_ASM_REGISTER && LLVMIsAConstantInt(bit) &&
                     !strchr(r->text.operands[from->operand].text, 'r');
    if (to->kind == HD_ASM_PLACE && from->kind == HD_ASM_REGISTER && !immediate) {
        LLVMValueRef words = LLVMBuildAShr(
            r->b, bit, hd_asm_number(r, bits, (unsigned)__builtin_ctz(bits)), "");
        words = LLVMBuildSExt(r->b, words, hd_asm_bits(r, 64), "");
        at.address = LLVMBuildGEP2(r->b, hd_asm_bits(r, bits), to->address, &words, 1, "");
    }
    LLVMValueRef mask = LLVMBuildShl(r->b, hd_asm_number(r, bits, 1), inside, "");
    LLVMValueRef given = row->op == LLVMAtomicRMWBinOpAnd ? LLVMBuildNot(r->b, mask, "") : mask;
    bool changes = row->op != LLVMAtomicRMWBinOpXchg;
    LLVMValueRef old = changes  ? hd_asm_modify(r, &at, bits, locked, row->op, given)
                       : locked ? NULL
                                : hd_asm_value(r, &at, bits);
    if (!old)
        return false;
    LLVMValueRef was = LLVMBuildAnd(r->b, old, mask, "");
    r->carry = LLVMBuildICmp(r->b, LLVMIntNE, was, hd_asm_number(r, bits, 0), "");
    r->zero = r->sign = NULL;
    return true;
}

/* A register and a memory operand: the register gets the old contents. */
static bool run_swap(struct hd_asm_run *r, const struct row *row, const struct hd_asm_arg *one,
                     const struct hd_asm_arg *two, unsigned bits)
{
    const struct hd_asm_arg *place = one->kind == HD_ASM_PLACE ? one : two;
    const struct hd_asm_arg *other = place == one ? two : one;
    LLVMValueRef v = other->kind == HD_ASM_REGISTER ? hd_asm_get(r, other->operand, bits) : NULL;
    if (!v || place->kind != HD_ASM_PLACE)
        return false;
    LLVMValueRef old = hd_asm_modify(r, place, bits, true, row->op, v);
    if (row->what == FETCH_ADD)
        hd_asm_flags(r, row->op, old, v);
    return hd_asm_put(r, other->operand, bits, old);
}

static bool run_change(struct hd_asm_run *r, const struct row *row, const struct hd_asm_arg *to,
                       unsigned bits, bool locked, LLVMValueRef v)
{
    LLVMValueRef old = v ? hd_asm_modify(r, to, bits, locked, row->op, v) : NULL;
    LLVMValueRef carry = r->carry;
    if (old && row->what != FLIP)
        hd_asm_flags(r, row->op, old, v);
    if (row->what == STEP)
        r->carry = carry;
    return old != NULL;
}

/* The size of the instruction's operands. */
static unsigned bits_of(const struct hd_asm_run *r, const struct row *row, char letter,
                        const struct hd_asm_arg *args, unsigned n)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    if (row->bits || letter)
        return row->bits ? row->bits : hd_asm_letter(letter);
    for (unsigned i = 0; i < n; i++)
        if (args[i].bits)
            return args[i].bits;
    for (unsigned i = n; i-- > 0;) { /* the destination last: a bit's number may be smaller */
        LLVMTypeRef type = args[i].kind == HD_ASM_REGISTER ? hd_asm_type(r, args[i].operand)
                                                           : NULL;
        LLVMValueRef v = type ? r->now[args[i].operand] : NULL;
        bool may_be_number = v && LLVMIsAConstantInt(v) &&
                             strpbrk(r->text.operands[args[i].operand].text, "ienIJKLMNZg");
        if (type && hd_asm_width(type) && !may_be_number)
            return hd_asm_width(type);
    }
    for (unsigned i = n; i-- > 0;)
        if (args[i].kind == HD_ASM_PLACE && args[i].operand < HD_ASM_OPERANDS) {
            unsigned arg = r->text.operands[args[i].operand].arg;
            LLVMAttributeRef type = LLVMGetCallSiteEnumAttribute(r->text.call, arg + 1, kind);
            return type ? hd_asm_width(LLVMGetTypeAttributeValue(type)) : 0;
        }
    return 0;
}

static bool run_row(struct hd_asm_run *r, const struct row *row, bool locked,
                    const struct hd_asm_arg *args, unsigned n, unsigned bits)
{
    const struct hd_asm_arg *from = &args[0], *to = &args[n ? n - 1 : 0];
    bool one = row->what == STEP || row->what == FLIP || row->what == EXCHANGE_PAIR_IF;
    if (n != (one ? 1 : 2) || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return false;
    switch (row->what) {
    case CHANGE:
        return run_change(r, row, to, bits, locked, hd_asm_value(r, from, bits));
    case STEP:
        return run_change(r, row, to, bits, locked, hd_asm_number(r, bits, 1));
    case FLIP:
        return run_change(r, row, to, bits, locked, hd_asm_number(r, bits, ~0ull));
    case MOVE: {
        LLVMValueRef v = locked ? NULL : hd_asm_value(r, from, bits);
        return v && hd_asm_set(r, to, bits, v);
    }
    case COMPARE: {
        LLVMValueRef old = locked ? NULL : hd_asm_value(r, to, bits);
        LLVMValueRef v = old ? hd_asm_value(r, from, bits) : NULL;
        if (v)
            hd_asm_flags(r, row->op, old, v);
        return v != NULL;
    }
    case BIT:
        return run_bit(r, row, from, to, bits, locked);
    case SWAP:
        return run_swap(r, row, from, to, bits);
    case FETCH_ADD:
        return locked && run_swap(r, row, from, to, bits);
    case EXCHANGE_IF:
        return locked && run_exchange_if(r, from, to, bits);
    case EXCHANGE_PAIR_IF:
        return locked && run_exchange_pair(r, to, bits);
    case SUBTRACT_CARRY: /* of a register with itself */
        return !locked && r->carry && from->kind == HD_ASM_REGISTER &&
               to->kind == HD_ASM_REGISTER && from->operand == to->operand &&
               hd_asm_put(r, to->operand, bits,
                          LLVMBuildSExt(r->b, r->carry, hd_asm_bits(r, bits), ""));
    default:
        return false;
    }
}

/* "lock addl $$0, (%rsp)" */
static bool is_fence(const struct hd_asm_instruction *i)
{
    bool stack = i->locked && i->n == 2 && strcmp(i->args[0], "$$0") == 0 &&
                 (strstr(i->args[1], "(%rsp)") || strstr(i->args[1], "(%esp)")) &&
                 (strncmp(i->name, "add", 3) == 0 || strncmp(i->name, "or", 2) == 0);
    return stack || (strcmp(i->name, "mfence") == 0 && i->n == 0 && !i->locked);
}

static const struct row *row_of(const char *name, char *letter)
{
    *letter = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        *letter = strncmp(rows[i].name, name, n) == 0 ? name[n] : 0;
        if (*letter && strchr("bwlq", *letter) && name[n + 1] == 0 && !rows[i].bits)
            return &rows[i];
    }
    return NULL;
}

/* A fence that is part of another instruction. */
static void build_barrier(const struct hd_asm_run *r)
{
    LLVMValueRef fence = LLVMBuildFence(r->b, LLVMAtomicOrderingSequentiallyConsistent, false,
                                        "");
    LLVMMetadataRef nothing = LLVMMDNodeInContext2(r->context, NULL, 0);
    LLVMSetMetadata(fence, hd_assembly_barrier(r->context),
                    LLVMMetadataAsValue(r->context, nothing));
}

static bool run_one(struct hd_asm_run *r, const struct hd_asm_instruction *i)
{
    struct hd_asm_arg args[HD_ASM_ARGS];
    char letter;
    if (is_fence(i)) {
        LLVMBuildFence(r->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
        r->zero = r->carry = r->sign = NULL;
        return true;
    }
    for (unsigned k = 0; k < i->n; k++)
        if (!hd_asm_arg(r, i->args[k], &args[k]))
            return false;
    if (strncmp(i->name, "set", 3) == 0) {
        LLVMValueRef bit = i->n == 1 && !i->locked ? hd_asm_condition(r, i->name + 3) : NULL;
        return bit && hd_asm_set(r, &args[0], 8, LLVMBuildZExt(r->b, bit, hd_asm_bits(r, 8), ""));
    }
    const struct row *row = row_of(i->name, &letter);
    bool locks = row && (i->locked || row->what == SWAP);
    if (locks)
        build_barrier(r);
    bool known = row &&
                 run_row(r, row, i->locked, args, i->n, bits_of(r, row, letter, args, i->n));
    if (locks)
        build_barrier(r);
    return known;
}

/* ---- statements ---- */

/* What the statement returns: its outputs in registers and of flags. */
static bool results(struct hd_asm_run *r, LLVMValueRef *out)
{
    LLVMTypeRef all = LLVMTypeOf(r->text.call);
    bool several = LLVMGetTypeKind(all) == LLVMStructTypeKind;
    unsigned n = 0;
    *out = several ? LLVMGetUndef(all) : NULL;
    for (unsigned k = 0; k < r->text.n_operands; k++) {
        const struct hd_asm_operand *o = &r->text.operands[k];
        const char *flag = strstr(o->text, "{@cc");
        LLVMValueRef v = r->now[k];
        if (!o->output || o->place)
            continue;
        if (flag) {
            char name[HD_ASM_TEXT];
            strcpy(name, flag + 4);
            name[strcspn(name, "}")] = 0;
            v = hd_asm_condition(r, name);
            v = v && hd_asm_width(hd_asm_type(r, k)) > 1
                    ? LLVMBuildZExt(r->b, v, hd_asm_type(r, k), "")
                    : NULL;
        }
        LLVMTypeRef type = hd_asm_type(r, k);
        if (v && hd_asm_width(LLVMTypeOf(v)) > hd_asm_width(type) && hd_asm_width(type))
            v = hd_asm_get(r, k, hd_asm_width(type));
        if (!v || LLVMTypeOf(v) != type)
            return false;
        *out = several ? LLVMBuildInsertValue(r->b, *out, v, n++, "") : v;
    }
    return true;
}

/* "rolq $$3, %rdi; rolq $$13, %rdi; rolq $$61, %rdi; rolq $$51, %rdi; xchgq %rbx, %rbx":
 * Valgrind sees it as a request.  A processor turns the register around twice. */
static bool is_request(const struct hd_asm_text *t)
{
    static const char *const turns[] = { "$$3", "$$13", "$$61", "$$51" };
    const struct hd_asm_instruction *i = t->instructions;
    if (t->n != 5)
        return false;
    for (unsigned k = 0; k < 4; k++)
        if (i[k].locked || strcmp(i[k].name, "rolq") != 0 || i[k].n != 2 ||
            strcmp(i[k].args[0], turns[k]) != 0 || strcmp(i[k].args[1], "%rdi") != 0)
            return false;
    return !i[4].locked && strcmp(i[4].name, "xchgq") == 0 && i[4].n == 2 &&
           strcmp(i[4].args[0], "%rbx") == 0 && strcmp(i[4].args[1], "%rbx") == 0;
}

static bool run_all(struct hd_asm_run *r, LLVMValueRef *out)
{
    for (unsigned k = 0; k < r->text.n_operands; k++) {
        const struct hd_asm_operand *o = &r->text.operands[k];
        if (!o->output && !o->place)
            r->now[o->same] = o->value;
    }
    bool request = is_request(&r->text);
    for (unsigned i = 0; i < r->text.n && !request; i++)
        if (!run_one(r, &r->text.instructions[i]))
            return false;
    return results(r, out);
}

/* Flags and results that nothing uses. */
static void remove_unused(LLVMValueRef from, LLVMValueRef before)
{
    for (LLVMValueRef i = LLVMGetPreviousInstruction(from), next; i != before; i = next) {
        bool pure = !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i) && !LLVMIsAAtomicRMWInst(i) &&
                    !LLVMIsAAtomicCmpXchgInst(i) && !LLVMIsAFenceInst(i);
        next = LLVMGetPreviousInstruction(i);
        if (pure && !LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
    }
}

static void lower(LLVMValueRef call, LLVMBuilderRef b)
{
    struct hd_asm_run r = { .b = b, .context = LLVMGetTypeContext(LLVMTypeOf(call)) };
    if (!hd_asm_read(&r.text, call) || r.text.n == 0)
        return;
    LLVMValueRef before = LLVMGetPreviousInstruction(call), out, last;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    if (run_all(&r, &out)) {
        if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(call, out);
        remove_unused(call, before);
        LLVMInstructionEraseFromParent(call);
        return;
    }
    while ((last = LLVMGetPreviousInstruction(call)) != before)
        LLVMInstructionEraseFromParent(last);
}

unsigned hd_assembly_barrier(LLVMContextRef context)
{
    static const char name[] = "heddle.barrier";
    return LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
}

void hd_assembly_lower(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
            for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                    lower(i, b);
            }
    LLVMDisposeBuilder(b);
}
