/* Hand-written atomic instructions of x86: libraries older than C11 have them in macros.
 *
 *   lock cmpxchg new, place    result and expected value in the accumulator
 *   xchg, lock xadd            register, place
 *   lock add, sub, and, or, xor, inc, dec
 *   mfence, and a locked instruction that changes nothing of the stack
 *
 * One statement is one instruction; other assembly is left alone and named in the result. */
#include "instrument/assembly.h"

#include "base/str.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if LLVM_VERSION_MAJOR >= 18

enum { MOST_OPERANDS = 8, MOST_WORDS = 6 };

struct operand {
    char text[16];      /* its constraint */
    LLVMValueRef value; /* of an input, the address of a place; NULL: an output in a register */
    bool place;
};

struct statement {
    LLVMValueRef call;
    struct operand operands[MOST_OPERANDS];
    unsigned n;
    bool locked;
    char words[MOST_WORDS][24]; /* the instruction and what it names */
    unsigned n_words;
};

/* "={ax},=*m,r,0,*m,~{memory}": outputs come first; a place that is an output has an argument
 * too. */
static bool read_operands(struct statement *s, const char *constraints, size_t n)
{
    unsigned arg = 0;
    for (const char *at = constraints, *end = at + n; at < end; at++) {
        size_t length = 0;
        while (at + length < end && at[length] != ',')
            length++;
        if (*at != '~') {
            if (s->n == MOST_OPERANDS || length >= sizeof s->operands[0].text)
                return false;
            struct operand *o = &s->operands[s->n++];
            memcpy(o->text, at, length);
            o->place = memchr(at, '*', length) != NULL;
            if (*at != '=' || o->place)
                o->value = LLVMGetOperand(s->call, arg++);
        }
        at += length;
    }
    return arg == LLVMGetNumArgOperands(s->call);
}

static bool read_words(struct statement *s, const char *code, size_t n)
{
    const char *const blanks = " \t\n,;";
    char text[80];
    if (n >= sizeof text)
        return false;
    memcpy(text, code, n);
    text[n] = 0;
    for (char *save, *w = strtok_r(text, blanks, &save); w; w = strtok_r(NULL, blanks, &save)) {
        if (strcmp(w, "lock") == 0 && s->n_words == 0) {
            s->locked = true;
            continue;
        }
        if (s->n_words == MOST_WORDS || strlen(w) >= sizeof s->words[0])
            return false;
        strcpy(s->words[s->n_words++], w);
    }
    return s->n_words > 0;
}

/* The operand that "$2" or "${2:w}" names. */
static const struct operand *named(const struct statement *s, unsigned word)
{
    const char *w = word < s->n_words ? s->words[word] : "";
    if (w[0] != '$' || w[1] == '$')
        return NULL;
    unsigned long k = strtoul(w + (w[1] == '{' ? 2 : 1), NULL, 10);
    return k < s->n ? &s->operands[k] : NULL;
}

/* The initial value of an output: the input that is tied to it by its number. */
static LLVMValueRef before(const struct statement *s, const struct operand *output)
{
    char number[8];
    if (output == NULL || output->place)
        return NULL;
    if (output->value)
        return output->value;
    snprintf(number, sizeof number, "%u", (unsigned)(output - s->operands));
    for (unsigned i = 0; i < s->n; i++)
        if (strcmp(s->operands[i].text, number) == 0)
            return s->operands[i].value;
    return NULL;
}

/* "addl", with the letter for its size or without. */
static bool is(const struct statement *s, const char *instruction)
{
    size_t n = strlen(instruction);
    const char *rest = s->words[0] + n;
    return strncmp(s->words[0], instruction, n) == 0 &&
           (rest[0] == 0 || (strchr("bwlq", rest[0]) && rest[1] == 0));
}

/* Results in registers: none, or one that is operand 0 and whole. */
static bool one_result(const struct statement *s, LLVMValueRef value)
{
    return s->n && !s->operands[0].value && LLVMTypeOf(s->call) == LLVMTypeOf(value);
}

static bool is_integer(LLVMValueRef value)
{
    return value && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

static LLVMValueRef compare_exchange(const struct statement *s, LLVMBuilderRef b)
{
    const struct operand *place = named(s, 2);
    LLVMValueRef now = before(s, named(s, 1)), expected = NULL;
    if (s->n && strcmp(s->operands[0].text, "={ax}") == 0)
        expected = before(s, &s->operands[0]);
    for (unsigned i = 0; i < s->n && !expected; i++)
        if (strcmp(s->operands[i].text, "{ax}") == 0)
            expected = s->operands[i].value;
    if (!place || !place->place || !is_integer(now) || !is_integer(expected) ||
        LLVMTypeOf(now) != LLVMTypeOf(expected) || !one_result(s, now))
        return NULL;
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(b, place->value, expected, now, order, order,
                                               false);
    return LLVMBuildExtractValue(b, pair, 0, "");
}

static LLVMValueRef modify(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, const struct operand *place,
                           LLVMValueRef value)
{
    return LLVMBuildAtomicRMW(b, op, place->value, value,
                              LLVMAtomicOrderingSequentiallyConsistent, false);
}

/* A register and a memory operand, in any order: the register gets the old contents. */
static LLVMValueRef exchange(const struct statement *s, LLVMBuilderRef b, LLVMAtomicRMWBinOp op)
{
    const struct operand *one = named(s, 1), *two = named(s, 2);
    const struct operand *place = one && one->place ? one : two;
    const struct operand *value = place == one ? two : one;
    LLVMValueRef given = before(s, value);
    if (!place || !place->place || value != &s->operands[0] || !is_integer(given) ||
        !one_result(s, given))
        return NULL;
    return modify(b, op, place, given);
}

/* No result: "lock addl value, place", "lock incl place". */
static LLVMValueRef change(const struct statement *s, LLVMBuilderRef b)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp op;
    } list[] = { { "add", LLVMAtomicRMWBinOpAdd },
                 { "sub", LLVMAtomicRMWBinOpSub },
                 { "and", LLVMAtomicRMWBinOpAnd },
                 { "or", LLVMAtomicRMWBinOpOr },
                 { "xor", LLVMAtomicRMWBinOpXor } };
    if (!s->locked || LLVMGetTypeKind(LLVMTypeOf(s->call)) != LLVMVoidTypeKind)
        return NULL;
    const struct operand *place = named(s, s->n_words - 1);
    LLVMValueRef value = s->n_words == 3 ? before(s, named(s, 1)) : NULL;
    if (!place || !place->place || !is_integer(value))
        return NULL;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (is(s, list[i].name))
            return modify(b, list[i].op, place, value);
    return NULL;
}

/* The size of "lock incl place" is in its last letter alone. */
static LLVMValueRef step(const struct statement *s, LLVMBuilderRef b)
{
    const struct operand *place = named(s, 1);
    size_t n = strlen(s->words[0]);
    unsigned bits = n != 4 ? 0 : s->words[0][3] == 'l' ? 32 : s->words[0][3] == 'q' ? 64 : 0;
    if (!s->locked || !place || !place->place || bits == 0 || s->n_words != 2 ||
        LLVMGetTypeKind(LLVMTypeOf(s->call)) != LLVMVoidTypeKind)
        return NULL;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(s->call));
    LLVMValueRef value = LLVMConstInt(LLVMIntTypeInContext(context, bits), 1, false);
    return modify(b, is(s, "inc") ? LLVMAtomicRMWBinOpAdd : LLVMAtomicRMWBinOpSub, place, value);
}

static bool is_fence(const struct statement *s)
{
    if (s->n)
        return false;
    bool stack = s->n_words == 3 && s->locked && (is(s, "add") || is(s, "or")) &&
                 strcmp(s->words[1], "$$0") == 0 && strstr(s->words[2], "(%rsp)");
    return stack || (s->n_words == 1 && strcmp(s->words[0], "mfence") == 0);
}

/* The instruction that replaces the statement; NULL if it is something else. */
static LLVMValueRef lowered(const struct statement *s, LLVMBuilderRef b)
{
    if (is_fence(s))
        return LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    if (s->n_words == 3 && is(s, "cmpxchg") && s->locked)
        return compare_exchange(s, b);
    if (s->n_words == 3 && is(s, "xchg"))
        return exchange(s, b, LLVMAtomicRMWBinOpXchg);
    if (s->n_words == 3 && is(s, "xadd") && s->locked)
        return exchange(s, b, LLVMAtomicRMWBinOpAdd);
    return is(s, "inc") || is(s, "dec") ? step(s, b) : change(s, b);
}

static void lower(LLVMValueRef call, LLVMBuilderRef b)
{
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    struct statement s = { .call = call };
    size_t n_code, n_constraints;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &n_code);
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &n_constraints);
    if (LLVMGetInlineAsmDialect(assembly) != LLVMInlineAsmDialectATT ||
        !read_words(&s, code, n_code) || !read_operands(&s, constraints, n_constraints))
        return;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef result = lowered(&s, b);
    if (result == NULL)
        return;
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
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

#else
void hd_assembly_lower(LLVMModuleRef module) { (void)module; }
#endif
