#include "instrument/assembly_state.h"

#include <stdlib.h>
#include <string.h>

LLVMTypeRef hd_asm_bits(const struct hd_asm_run *r, unsigned bits)
{
    return LLVMIntTypeInContext(r->context, bits);
}

LLVMValueRef hd_asm_number(const struct hd_asm_run *r, unsigned bits, uint64_t n)
{
    return LLVMConstInt(hd_asm_bits(r, bits), n, true);
}

/* ---- arguments ---- */

/* The operand of "$2" or "${2:w}" with the letter of the latter, or 0; where it ends. */
static const char *read_operand(const char *text, unsigned long *k, char *letter)
{
    char *end;
    bool braces = text[0] == '$' && text[1] == '{';
    if (text[0] != '$' || text[1 + braces] < '0' || text[1 + braces] > '9')
        return NULL;
    *letter = 0;
    *k = strtoul(text + 1 + braces, &end, 10);
    if (!braces)
        return end;
    if (end[0] == ':' && end[1])
        *letter = end[1], end += 2;
    return *end == '}' ? end + 1 : NULL;
}

unsigned hd_asm_letter(char letter)
{
    return letter == 'b' ? 8 : letter == 'w' ? 16 : letter == 'k' || letter == 'l' ? 32 : 64;
}

/* "8($1)": the address is in a register. */
static bool read_indirect(const struct hd_asm_run *r, const char *text, struct hd_asm_arg *a)
{
    char *open, letter;
    unsigned long k;
    long distance = strtol(text, &open, 0);
    const char *end = *open == '(' ? read_operand(open + 1, &k, &letter) : NULL;
    if (!end || strcmp(end, ")") != 0 || k >= r->text.n_operands || (letter && letter != 'q'))
        return false;
    LLVMValueRef address = r->now[r->text.operands[k].same];
    if (r->text.operands[k].place || !address)
        return false;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(r->context, 0);
    if (LLVMTypeOf(address) == hd_asm_bits(r, 64))
        address = LLVMBuildIntToPtr(r->b, address, pointer, "");
    if (LLVMTypeOf(address) != pointer)
        return false;
    LLVMValueRef offset = hd_asm_number(r, 64, (uint64_t)distance);
    if (distance)
        address = LLVMBuildGEP2(r->b, hd_asm_bits(r, 8), address, &offset, 1, "");
    *a = (struct hd_asm_arg){ .kind = HD_ASM_PLACE,
                              .operand = HD_ASM_OPERANDS,
                              .address = address };
    return true;
}

bool hd_asm_arg(const struct hd_asm_run *r, const char *text, struct hd_asm_arg *a)
{
    unsigned long k;
    char letter, *rest;
    if (text[0] == '$' && text[1] == '$') {
        *a = (struct hd_asm_arg){ .kind = HD_ASM_NUMBER };
        a->number = (long long)strtoull(text + 2, &rest, 0); /* negative ones, too */
        return rest > text + 2 && *rest == 0;
    }
    const char *end = read_operand(text, &k, &letter);
    if (!end)
        return read_indirect(r, text, a);
    if (*end || k >= r->text.n_operands || (letter && !strchr("bwkq", letter)))
        return false;
    const struct hd_asm_operand *o = &r->text.operands[k];
    *a = (struct hd_asm_arg){ .kind = o->place ? HD_ASM_PLACE : HD_ASM_REGISTER,
                              .operand = o->same,
                              .address = o->place ? o->value : NULL,
                              .bits = letter ? hd_asm_letter(letter) : 0,
                              .chosen = o->place && strpbrk(o->text, "rqg") != NULL };
    return true;
}

/* ---- registers and memory ---- */

unsigned hd_asm_width(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind   ? LLVMGetIntTypeWidth(type)
           : LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64
                                                          : 0;
}

/* The type of a register operand; NULL: it has none, or no simple one. */
LLVMTypeRef hd_asm_type(const struct hd_asm_run *r, unsigned k)
{
    const struct hd_asm_operand *o = &r->text.operands[k];
    if (!o->output)
        return LLVMTypeOf(o->value);
    LLVMTypeRef all = LLVMTypeOf(r->text.call);
    if (LLVMGetTypeKind(all) != LLVMStructTypeKind)
        return all;
    unsigned n = 0;
    for (unsigned i = 0; i < k; i++)
        n += r->text.operands[i].output && !r->text.operands[i].place;
    return n < LLVMCountStructElementTypes(all) ? LLVMStructGetTypeAtIndex(all, n) : NULL;
}

/* The low bits of a register. */
LLVMValueRef hd_asm_get(const struct hd_asm_run *r, unsigned k, unsigned bits)
{
    LLVMValueRef v = k < HD_ASM_OPERANDS ? r->now[k] : NULL;
    unsigned has = v ? hd_asm_width(LLVMTypeOf(v)) : 0;
    if (has && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
        v = LLVMBuildPtrToInt(r->b, v, hd_asm_bits(r, 64), "");
    if (has == bits)
        return v;
    if (has > bits)
        return LLVMBuildTrunc(r->b, v, hd_asm_bits(r, bits), "");
    /* A number that the assembler extends; in a register the upper half of a negative one
     * is another. */
    bool fits = has && LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) >= 0;
    return fits ? hd_asm_number(r, bits, LLVMConstIntGetZExtValue(v)) : NULL;
}

/* Writes the low bits of a register: 8 and 16 leave the others as they are, 32 clear them.  A
 * register has more bits than an operand whose type is narrow: cmpxchgl writes 32 bits of "=a",
 * and then sete 8, which are the result. */
bool hd_asm_put(struct hd_asm_run *r, unsigned k, unsigned bits, LLVMValueRef v)
{
    LLVMTypeRef type = k < r->text.n_operands ? hd_asm_type(r, k) : NULL;
    unsigned has = type ? hd_asm_width(type) : 0;
    if (!has)
        return false;
    unsigned known = r->now[k] ? hd_asm_width(LLVMTypeOf(r->now[k])) : 0;
    has = known > has ? known : has;
    has = bits > has ? bits : has;
    if (has > bits && bits < 32) {
        LLVMValueRef old = hd_asm_get(r, k, has);
        if (!old)
            return false;
        LLVMValueRef above = hd_asm_number(r, has, ~((1ull << bits) - 1));
        v = LLVMBuildOr(r->b, LLVMBuildAnd(r->b, old, above, ""),
                        LLVMBuildZExt(r->b, v, hd_asm_bits(r, has), ""), "");
    } else if (has > bits) {
        v = LLVMBuildZExt(r->b, v, hd_asm_bits(r, has), "");
    }
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        v = LLVMBuildIntToPtr(r->b, v, type, "");
    r->now[k] = v;
    return true;
}

static LLVMValueRef load(const struct hd_asm_run *r, const struct hd_asm_arg *a, unsigned bits)
{
    LLVMValueRef v = LLVMBuildLoad2(r->b, hd_asm_bits(r, bits), a->address, "");
    if (!a->chosen) {
        LLVMSetOrdering(v, LLVMAtomicOrderingAcquire);
        LLVMSetAlignment(v, bits / 8);
    }
    return v;
}

LLVMValueRef hd_asm_value(const struct hd_asm_run *r, const struct hd_asm_arg *a, unsigned bits)
{
    return a->kind == HD_ASM_REGISTER ? hd_asm_get(r, a->operand, bits)
           : a->kind == HD_ASM_PLACE  ? load(r, a, bits)
                                      : hd_asm_number(r, bits, (uint64_t)a->number);
}

bool hd_asm_set(struct hd_asm_run *r, const struct hd_asm_arg *a, unsigned bits, LLVMValueRef v)
{
    if (a->kind != HD_ASM_PLACE)
        return a->kind == HD_ASM_REGISTER && hd_asm_put(r, a->operand, bits, v);
    LLVMValueRef store = LLVMBuildStore(r->b, v, a->address);
    if (!a->chosen) {
        LLVMSetOrdering(store, LLVMAtomicOrderingRelease);
        LLVMSetAlignment(store, bits / 8);
    }
    return true;
}

/* What the operation makes of two numbers. */
static LLVMValueRef computed(const struct hd_asm_run *r, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                             LLVMValueRef v)
{
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(r->b, old, v, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(r->b, old, v, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(r->b, old, v, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(r->b, old, v, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(r->b, old, v, "");
    default:
        return v;
    }
}

/* Changes the destination; returns what it was.  A memory operand is changed at once if the
 * instruction is locked, and otherwise by a load and a store. */
LLVMValueRef hd_asm_modify(struct hd_asm_run *r, const struct hd_asm_arg *to, unsigned bits,
                           bool locked, LLVMAtomicRMWBinOp op, LLVMValueRef v)
{
    if (to->kind == HD_ASM_PLACE && locked)
        return LLVMBuildAtomicRMW(r->b, op, to->address, v,
                                  LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMValueRef old = locked ? NULL : hd_asm_value(r, to, bits);
    return old && hd_asm_set(r, to, bits, computed(r, op, old, v)) ? old : NULL;
}

/* ---- flags ---- */

void hd_asm_flags(struct hd_asm_run *r, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef v)
{
    LLVMValueRef result = computed(r, op, old, v);
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(result));
    r->zero = LLVMBuildICmp(r->b, LLVMIntEQ, result, none, "");
    r->sign = LLVMBuildICmp(r->b, LLVMIntSLT, result, none, "");
    r->carry = op == LLVMAtomicRMWBinOpAdd   ? LLVMBuildICmp(r->b, LLVMIntULT, result, v, "")
               : op == LLVMAtomicRMWBinOpSub ? LLVMBuildICmp(r->b, LLVMIntULT, old, v, "")
                                             : hd_asm_number(r, 1, 0);
}

/* The condition of a setCC or "=@ccCC" as a bit; NULL: it is another one, or not known. */
LLVMValueRef hd_asm_condition(const struct hd_asm_run *r, const char *name)
{
    static const struct {
        const char *name;
        char flag;
        bool negated;
    } list[] = {
        { "e", 'z', false },   { "z", 'z', false },  { "ne", 'z', true }, { "nz", 'z', true },
        { "c", 'c', false },   { "b", 'c', false },  { "nc", 'c', true }, { "ae", 'c', true },
        { "nae", 'c', false }, { "nb", 'c', true },  { "s", 's', false }, { "ns", 's', true },
        { "be", 'o', false },  { "na", 'o', false }, { "a", 'o', true },  { "nbe", 'o', true },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (strcmp(name, list[i].name) != 0)
            continue;
        char flag = list[i].flag;
        LLVMValueRef v = flag == 'z' ? r->zero : flag == 's' ? r->sign : r->carry;
        if (v && flag == 'o')
            v = r->zero ? LLVMBuildOr(r->b, r->zero, r->carry, "") : NULL;
        return v && list[i].negated ? LLVMBuildNot(r->b, v, "") : v;
    }
    return NULL;
}
