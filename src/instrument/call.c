#include "instrument/call.h"

#include "analyse/format.h"
#include "instrument/frames.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <string.h>

enum { MOST_RANGES = 16 };

/* Memory that a call is about to touch. */
struct range {
    unsigned arg;
    bool writes, string, nullable;
    bool some;          /* only a part is written; a hook after the call says which */
    LLVMValueRef bytes; /* string: the most */
};

static LLVMValueRef arg(const struct hd_call *c, unsigned i)
{
    return LLVMGetOperand(c->inst, i);
}

enum hd_region hd_call_region(const struct hd_call *c, unsigned i)
{
    if (i >= LLVMGetNumArgOperands(c->inst) ||
        LLVMGetTypeKind(LLVMTypeOf(arg(c, i))) != LLVMPointerTypeKind)
        return HD_REGION_PRIVATE;
    return hd_plan_argument(c->plan, c->inst, i);
}

bool hd_call_is_shared(const struct hd_call *c, unsigned i)
{
    return hd_call_region(c, i) == HD_REGION_SHARED && !LLVMIsAConstantPointerNull(arg(c, i));
}

void hd_call_behind(struct hd_call *c)
{
    LLVMPositionBuilderBefore(c->p->builder, LLVMGetNextInstruction(c->inst));
    LLVMSetCurrentDebugLocation2(c->p->builder, LLVMInstructionGetDebugLoc(c->inst));
}

void hd_call_keep_errno(struct hd_call *c)
{
    LLVMValueRef address = hd_pass_libc(c->p, "__errno_location", c->p->pointer, NULL, 0);
    hd_pass_keep(c->p, address, hd_pass_u64(c->p, 4));
}

uint32_t hd_call_site(struct hd_call *c, enum hd_op op, unsigned i)
{
    return hd_sites_add(&c->p->sites, c->inst, op, 0, i);
}

void hd_call_will_read_string(struct hd_call *c, unsigned i, LLVMValueRef limit)
{
    LLVMValueRef args[] = { arg(c, i), limit, hd_pass_u32(c->p, hd_call_site(c, HD_OP_READ, i)) };
    hd_pass_hook(c->p, "__heddle_will_read_string", c->p->nothing, args, 3);
}

static LLVMValueRef intrinsic(struct hd_pass *p, const char *name, LLVMTypeRef *types,
                              LLVMValueRef *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    unsigned overloads = LLVM_VERSION_MAJOR >= 18 ? 1 : 0;
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(p->module, id, types, overloads);
    return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(function), function, args, n, "");
}

LLVMValueRef hd_call_stack(struct hd_call *c, LLVMValueRef bytes)
{
    struct hd_pass *p = c->p;
    LLVMTypeRef types[] = { p->pointer };
    LLVMValueRef saved = intrinsic(p, "llvm.stacksave", types, NULL, 0);
    LLVMValueRef room = LLVMBuildArrayAlloca(p->builder, p->i8, bytes, "");
    LLVMSetAlignment(room, 16);
    hd_call_behind(c);
    intrinsic(p, "llvm.stackrestore", types, &saved, 1);
    hd_pass_before(p, c->inst);
    return room;
}

static LLVMValueRef is_null(struct hd_call *c, LLVMValueRef pointer)
{
    return LLVMBuildIsNull(c->p->builder, pointer, "");
}

/* Bytes to be touched at the address; 0 when it is NULL and may be. */
static LLVMValueRef range_bytes(struct hd_call *c, const struct range *r)
{
    if (!r->nullable)
        return r->bytes;
    return LLVMBuildSelect(c->p->builder, is_null(c, arg(c, r->arg)), hd_pass_u64(c->p, 0),
                           r->bytes, "");
}

static void announce(struct hd_call *c, const struct range *r)
{
    struct hd_pass *p = c->p;
    if (r->string) {
        if (r->nullable) { /* as glibc prints it */
            LLVMValueRef text = LLVMBuildGlobalStringPtr(p->builder, "(null)", "");
            LLVMValueRef old = arg(c, r->arg);
            LLVMSetOperand(c->inst, r->arg,
                           LLVMBuildSelect(p->builder, is_null(c, old), text, old, ""));
        }
        hd_call_will_read_string(c, r->arg, r->bytes);
        return;
    }
    uint32_t site = hd_call_site(c, r->writes ? HD_OP_WRITE : HD_OP_READ, r->arg);
    LLVMValueRef args[] = { arg(c, r->arg), range_bytes(c, r), hd_pass_u32(p, site) };
    const char *write = r->some ? "__heddle_may_write" : "__heddle_will_write";
    hd_pass_hook(p, r->writes ? write : "__heddle_will_read", p->nothing, args, 3);
}

/* Copy the memory, so that the call sees what was there when the read was announced, whatever
 * other threads do until it runs. */
static void snapshot(struct hd_call *c, const struct range *r)
{
    struct hd_pass *p = c->p;
    LLVMValueRef from = arg(c, r->arg), bytes;
    if (r->string) {
        LLVMValueRef args[] = { from, r->bytes };
        LLVMValueRef n = hd_pass_libc(p, "strnlen", p->i64, args, 2);
        LLVMValueRef more = LLVMBuildAdd(p->builder, n, hd_pass_u64(p, 1), "");
        LLVMValueRef whole = LLVMBuildICmp(p->builder, LLVMIntULT, n, r->bytes, "");
        bytes = LLVMBuildSelect(p->builder, whole, more, n, "");
    } else {
        bytes = range_bytes(c, r);
    }
    LLVMValueRef copy = hd_call_stack(c, bytes);
    LLVMBuildMemCpy(p->builder, copy, 1, from, 1, bytes);
    if (r->nullable && !r->string)
        copy = LLVMBuildSelect(p->builder, is_null(c, from), from, copy, "");
    LLVMSetOperand(c->inst, r->arg, copy);
}

/* All but the last are copied, because another thread may run between two notices. */
static void announce_all(struct hd_call *c, const struct range *ranges, size_t n, bool copy_all)
{
    for (size_t i = 0; i < n; i++) {
        announce(c, &ranges[i]);
        if (i + 1 < n || copy_all)
            snapshot(c, &ranges[i]);
    }
}

static LLVMValueRef number(struct hd_pass *p, LLVMValueRef call, int i)
{
    return LLVMBuildZExtOrBitCast(p->builder, LLVMGetOperand(call, (unsigned)i), p->i64, "");
}

LLVMValueRef hd_call_extent(struct hd_pass *p, LLVMValueRef call, const struct hd_effect *e)
{
    uint64_t constant = e->extent == HD_EXTENT_STRING ? UINT64_MAX : e->constant;
    LLVMValueRef bytes = hd_pass_u64(p, constant);
    if (e->grows >= 0) {
        LLVMValueRef zero = LLVMBuildIsNull(p->builder, number(p, call, e->grows), "");
        bytes = LLVMBuildSelect(p->builder, zero, bytes, hd_pass_u64(p, e->grown), "");
    }
    if (e->factor[0] >= 0)
        bytes = number(p, call, e->factor[0]);
    if (e->factor[1] >= 0)
        bytes = LLVMBuildMul(p->builder, bytes, number(p, call, e->factor[1]), "");
    return bytes;
}

/* Adds the strings of a format to ranges; -1 when they are not known. */
static int format_ranges(struct hd_call *c, unsigned format, struct range *ranges, int n)
{
    struct hd_format_string strings[MOST_RANGES];
    const char *text = hd_format_literal(arg(c, format));
    int found = text ? hd_format_parse(text, strings, (size_t)(MOST_RANGES - n)) : -1;
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(c->inst));
    for (int i = 0; i < found; i++) {
        const struct hd_format_string *s = &strings[i];
        unsigned index = fixed + s->arg;
        if (index >= LLVMGetNumArgOperands(c->inst))
            return -1;
        if (!hd_call_is_shared(c, index))
            continue;
        struct range r = { .arg = index, .string = true, .nullable = true };
        r.bytes = hd_pass_u64(c->p, s->limit >= 0 ? (uint64_t)s->limit : UINT64_MAX);
        if (s->limit_arg >= 0) /* a negative precision means none */
            r.bytes = LLVMBuildSExt(c->p->builder, arg(c, fixed + (unsigned)s->limit_arg),
                                    c->p->i64, "");
        ranges[n++] = r;
    }
    return found < 0 ? -1 : n;
}

bool hd_call_format(struct hd_call *c, unsigned format, bool copy_all)
{
    struct range ranges[MOST_RANGES];
    hd_pass_before(c->p, c->inst);
    int n = format_ranges(c, format, ranges, 0);
    if (n < 0)
        return false;
    announce_all(c, ranges, (size_t)n, copy_all);
    return true;
}

/* Order the ranges: reads first, the one that the result points into last, then the write. */
static void add_range(struct range *ranges, int *n, struct range r, int result)
{
    int place = *n;
    if (!r.writes)
        while (place > 0 && (ranges[place - 1].writes || (int)ranges[place - 1].arg == result))
            place--;
    memmove(ranges + place + 1, ranges + place, (size_t)(*n - place) * sizeof *ranges);
    ranges[place] = r;
    ++*n;
}

static int result_arg(const char *effects)
{
    for (struct hd_effect e; hd_libc_effect(&effects, &e);)
        if (e.kind == HD_EFFECT_RESULT)
            return (int)e.arg;
    return -1;
}

bool hd_call_effects(struct hd_call *c, const struct hd_libc *row)
{
    struct range ranges[MOST_RANGES + 4];
    int n = 0, result = result_arg(row->effects);
    const char *text = row->effects;
    for (struct hd_effect e; hd_libc_effect(&text, &e);) {
        if (e.kind == HD_EFFECT_ERRNO) {
            hd_call_keep_errno(c);
            continue;
        }
        if (e.kind == HD_EFFECT_HIDDEN)
            continue;
        if (e.arg >= LLVMGetNumArgOperands(c->inst)) {
            if (e.kind == HD_EFFECT_USE)
                continue;
            return false;
        }
        if (e.kind == HD_EFFECT_FORMAT) {
            n = format_ranges(c, e.arg, ranges, n);
            if (n < 0)
                return false;
        } else if ((e.kind == HD_EFFECT_READ || e.kind == HD_EFFECT_WRITE) &&
                   hd_call_is_shared(c, e.arg)) {
            struct range r = { .arg = e.arg,
                               .writes = e.kind == HD_EFFECT_WRITE,
                               .string = e.extent == HD_EXTENT_STRING,
                               .nullable = e.nullable,
                               .some = e.done != HD_DONE_ALL && hd_frames_only_behind(c->inst),
                               .bytes = hd_call_extent(c->p, c->inst, &e) };
            add_range(ranges, &n, r, result);
        }
    }
    if (n > 1 && LLVMIsAInvokeInst(c->inst))
        return false;
    announce_all(c, ranges, (size_t)n, false);
    return true;
}
