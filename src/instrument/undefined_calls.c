/* Library functions and undefined bytes: reading them is a use, writing defines them.  The
 * runtime's own functions define what they write themselves. */
#include "instrument/undefined.h"

#include "analyse/fits.h"
#include "analyse/format.h"
#include "analyse/libc.h"
#include "core/use.h"
#include "instrument/call.h"
#include "instrument/frames.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum {
    MOST_STRINGS = 16,
    MOST_RESULT = 152, /* bytes that a function of the runtime stores without saying so */
};

static LLVMValueRef arg(LLVMValueRef call, unsigned i) { return LLVMGetOperand(call, i); }

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static bool concerns(struct hd_undefined *u, LLVMValueRef call, unsigned i)
{
    return i < LLVMGetNumArgOperands(call) && is_pointer(arg(call, i)) &&
           !LLVMIsAConstantPointerNull(arg(call, i)) && hd_undefined_memory(u, arg(call, i));
}

static LLVMValueRef wide(struct hd_undefined *u, LLVMValueRef value)
{
    return LLVMBuildZExtOrBitCast(u->p->builder, value, u->p->i64, "");
}

static void used(struct hd_undefined *u, LLVMValueRef call, unsigned i, bool string,
                 LLVMValueRef bytes)
{
    uint32_t site = hd_sites_add(&u->p->sites, call, HD_OP_NONE, 0, i);
    LLVMValueRef args[] = { arg(call, i), bytes, hd_pass_u32(u->p, site) };
    hd_pass_hook(u->p, string ? "__heddle_used_string" : "__heddle_used", u->p->nothing, args, 3);
}

/* The place of a hook that tells what the call has done.  False: there is no such place, and
 * the hook comes before the call. */
static bool place_behind(struct hd_undefined *u, LLVMValueRef call)
{
    LLVMValueRef behind = hd_frames_only_behind(call);
    hd_pass_before(u->p, behind ? behind : call);
    LLVMSetCurrentDebugLocation2(u->p->builder, LLVMInstructionGetDebugLoc(call));
    return behind != NULL;
}

/* Before the call the length of a string is not known: all that may be written counts. */
static void written(struct hd_undefined *u, LLVMValueRef call, unsigned i, bool string,
                    LLVMValueRef bytes)
{
    bool is_behind = place_behind(u, call);
    LLVMValueRef args[] = { arg(call, i), bytes };
    hd_pass_hook(u->p, string && is_behind ? "__heddle_defined_string" : "__heddle_defined",
                 u->p->nothing, args, 2);
}

/* How many of the bytes the result says have been written. */
static LLVMValueRef done_bytes(struct hd_undefined *u, LLVMValueRef call,
                               const struct hd_effect *e, LLVMValueRef bytes)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef none = hd_pass_u64(u->p, 0);
    LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, call, LLVMConstNull(LLVMTypeOf(call)), "");
    switch (e->done) {
    case HD_DONE_RESULT: {
        LLVMValueRef n = LLVMBuildIntCast2(b, call, u->p->i64, 1, "");
        LLVMValueRef failed = LLVMBuildICmp(b, LLVMIntSLT, n, none, "");
        if (e->times >= 0)
            n = LLVMBuildMul(b, n, wide(u, arg(call, (unsigned)e->times)), "");
        return LLVMBuildSelect(b, failed, none, n, "");
    }
    case HD_DONE_IF_ZERO:
        return LLVMBuildSelect(b, zero, bytes, none, "");
    case HD_DONE_STRING:
    case HD_DONE_IF_NOT_ZERO:
        return LLVMBuildSelect(b, zero, none, bytes, "");
    default:
        return bytes;
    }
}

/* What was announced as a part of the range (__heddle_may_write). */
static void written_in_part(struct hd_undefined *u, LLVMValueRef call, const struct hd_effect *e,
                            LLVMValueRef bytes)
{
    bool is_behind = place_behind(u, call);
    bool string = is_behind && e->done == HD_DONE_STRING;
    LLVMValueRef args[] = { arg(call, e->arg),
                            is_behind ? done_bytes(u, call, e, bytes) : bytes };
    hd_pass_hook(u->p, string ? "__heddle_defined_string" : "__heddle_defined", u->p->nothing,
                 args, 2);
}

/* The strings that a format prints. */
static void printed(struct hd_undefined *u, LLVMValueRef call, unsigned format)
{
    struct hd_format_string strings[MOST_STRINGS];
    const char *text = hd_format_literal(arg(call, format));
    int n = text ? hd_format_parse(text, strings, MOST_STRINGS) : 0;
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    for (int i = 0; i < n; i++) {
        unsigned index = fixed + strings[i].arg;
        if (!concerns(u, call, index))
            continue;
        LLVMValueRef most = hd_pass_u64(u->p, strings[i].limit >= 0 ? (uint64_t)strings[i].limit
                                                                    : UINT64_MAX);
        hd_pass_before(u->p, call);
        if (strings[i].limit_arg >= 0) /* a negative precision means none */
            most = LLVMBuildSExt(u->p->builder, arg(call, fixed + (unsigned)strings[i].limit_arg),
                                 u->p->i64, "");
        used(u, call, index, true, most);
    }
}

/* The runtime writes there.  For memory of other threads its hooks say how much; for a local
 * any write counts as all of it. */
static void written_by_runtime(struct hd_undefined *u, LLVMValueRef call, unsigned i)
{
    LLVMValueRef base = arg(call, i);
    bool create = strcmp(hd_code_callee_name(call), "pthread_create") == 0;
    if (create || strcmp(hd_code_callee_name(call), "thrd_create") == 0) {
        written(u, call, i, false, hd_pass_u64(u->p, 8));
        return;
    }
    while (LLVMIsAGetElementPtrInst(base))
        base = LLVMGetOperand(base, 0);
    LLVMValueRef count = LLVMIsAAllocaInst(base) ? LLVMGetOperand(base, 0) : NULL;
    if (count == NULL || !LLVMIsAConstantInt(count)) {
        written(u, call, i, false, hd_pass_u64(u->p, MOST_RESULT));
        return;
    }
    uint64_t bytes = LLVMConstIntGetZExtValue(count) *
                     LLVMABISizeOfType(u->p->layout, LLVMGetAllocatedType(base));
    place_behind(u, call);
    LLVMValueRef args[] = { base, hd_pass_u64(u->p, bytes) };
    hd_pass_hook(u->p, "__heddle_defined", u->p->nothing, args, 2);
}

/* Is it a comparison, whose result depends on what comes before a difference?  Then *how tells
 * of what, and *limit is the argument with the length, or -1. */
static bool is_comparison(const char *name, enum hd_comparison *how, int *limit)
{
    static const struct {
        const char *name;
        enum hd_comparison how;
        int limit;
    } all[] = {
        { "memcmp", HD_COMPARES_BYTES, 2 },       { "bcmp", HD_COMPARES_BYTES, 2 },
        { "strcmp", HD_COMPARES_STRINGS, -1 },    { "strncmp", HD_COMPARES_STRINGS, 2 },
        { "strcasecmp", HD_COMPARES_FOLDED, -1 }, { "strncasecmp", HD_COMPARES_FOLDED, 2 },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0) {
            *how = all[i].how;
            *limit = all[i].limit;
            return true;
        }
    return false;
}

static void compared(struct hd_undefined *u, LLVMValueRef call, enum hd_comparison how, int limit)
{
    if (!concerns(u, call, 0) && !concerns(u, call, 1))
        return;
    uint32_t site = hd_sites_add(&u->p->sites, call, HD_OP_NONE, 0, concerns(u, call, 0) ? 0 : 1);
    hd_pass_before(u->p, call);
    LLVMValueRef n = limit < 0 ? hd_pass_u64(u->p, UINT64_MAX)
                               : wide(u, arg(call, (unsigned)limit));
    LLVMValueRef args[] = { arg(call, 0), arg(call, 1), n, hd_pass_u32(u->p, how),
                            hd_pass_u32(u->p, site) };
    hd_pass_hook(u->p, "__heddle_used_compared", u->p->nothing, args, 5);
}

static void by_effects(struct hd_undefined *u, LLVMValueRef call, const struct hd_libc *row)
{
    const char *text = row->effects;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    if (row->class == HD_LIBC_MODEL && text[0] == 0 && LLVMIsFunctionVarArg(type))
        for (unsigned i = LLVMCountParamTypes(type); i < LLVMGetNumArgOperands(call); i++)
            if (concerns(u, call, i)) /* ioctl, fcntl, syscall */
                written_by_runtime(u, call, i);
    for (struct hd_effect e; hd_libc_effect(&text, &e);) {
        bool lent = e.kind == HD_EFFECT_USE || e.kind == HD_EFFECT_KEPT;
        if (lent && e.writes && !e.exact && concerns(u, call, e.arg))
            written_by_runtime(u, call, e.arg);
        if (e.kind == HD_EFFECT_FORMAT)
            printed(u, call, e.arg);
        bool in_part = e.done != HD_DONE_ALL && e.arg < LLVMGetNumArgOperands(call) &&
                       is_pointer(arg(call, e.arg));
        if ((e.kind != HD_EFFECT_READ && e.kind != HD_EFFECT_WRITE) ||
            !(in_part || concerns(u, call, e.arg)))
            continue;
        bool string = e.extent == HD_EXTENT_STRING;
        hd_pass_before(u->p, call);
        LLVMValueRef bytes = hd_call_extent(u->p, call, &e);
        if (in_part)
            written_in_part(u, call, &e, bytes);
        else if (e.kind == HD_EFFECT_WRITE)
            written(u, call, e.arg, string, bytes);
        else
            used(u, call, e.arg, string, bytes);
    }
}

/* qsort, sincos, atomic operations of any size: what they read is copied, and taken for
 * defined. */
static void by_size(struct hd_undefined *u, LLVMValueRef call, const char *recipe)
{
    LLVMTypeRef first = LLVMTypeOf(arg(call, 0));
    LLVMValueRef bytes = hd_pass_u64(u->p, 16);
    if (strcmp(recipe, "qsort") == 0)
        bytes = LLVMBuildMul(u->p->builder, wide(u, arg(call, 1)), wide(u, arg(call, 2)), "");
    else if (LLVMGetTypeKind(first) == LLVMIntegerTypeKind)
        bytes = wide(u, arg(call, 0));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (concerns(u, call, i))
            written(u, call, i, false, bytes);
}

/* A function that is rewritten into hooks; those define what they write, but only where other
 * threads may look. */
static void by_recipe(struct hd_undefined *u, LLVMValueRef call, const char *recipe)
{
    LLVMValueRef all = hd_pass_u64(u->p, UINT64_MAX);
    bool limited = hd_str_starts(recipe, "strn") || strcmp(recipe, "stpncpy") == 0;
    hd_pass_before(u->p, call);
    if (strcmp(recipe, "memcpy") == 0 || strcmp(recipe, "mempcpy") == 0) {
        LLVMValueRef args[] = { arg(call, 0), arg(call, 1), wide(u, arg(call, 2)) };
        if (!concerns(u, call, 0))
            return;
        place_behind(u, call);
        hd_pass_hook(u->p, "__heddle_copy_bits", u->p->nothing, args, 3);
    } else if (strcmp(recipe, "memset") == 0 && concerns(u, call, 0)) {
        written(u, call, 0, false, wide(u, arg(call, 2)));
    } else if (strcmp(recipe, "bzero") == 0 && concerns(u, call, 0)) {
        written(u, call, 0, false, wide(u, arg(call, 1)));
    } else if (strcmp(recipe, "bcopy") == 0 && concerns(u, call, 1)) {
        written(u, call, 1, false, wide(u, arg(call, 2)));
    } else if (hd_str_starts(recipe, "st") && !hd_str_starts(recipe, "strto")) {
        if (concerns(u, call, 1))
            used(u, call, 1, true, limited ? wide(u, arg(call, 2)) : all);
        if (strstr(recipe, "cat") && concerns(u, call, 0))
            used(u, call, 0, true, all);
        if (concerns(u, call, 0) && limited && !strstr(recipe, "cat"))
            written(u, call, 0, false, wide(u, arg(call, 2)));
        else if (concerns(u, call, 0))
            written(u, call, 0, true, all);
    } else if (hd_str_starts(recipe, "strto")) {
        if (concerns(u, call, 0))
            used(u, call, 0, true, all);
        if (concerns(u, call, 1))
            written(u, call, 1, false, hd_pass_u64(u->p, 8));
    } else if (strstr(recipe, "printf")) {
        printed(u, call, strcmp(recipe, "snprintf") == 0 ? 2 : 1);
        hd_pass_before(u->p, call);
        if (concerns(u, call, 0))
            written(u, call, 0, true,
                    strcmp(recipe, "snprintf") == 0 ? wide(u, arg(call, 1)) : all);
    } else {
        by_size(u, call, recipe);
    }
}

/* Unknown code, or assembly, got an address. */
static void foreign(struct hd_undefined *u, LLVMValueRef call)
{
    bool given = false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        given |= concerns(u, call, i);
    if (!given)
        return;
    const char *name = hd_fits_name(hd_code_callee_name(call));
    uint32_t site = hd_sites_add(&u->p->sites, call, HD_OP_NONE, 0, HD_NAMES_ANY);
    u->p->sites.items[site].variable = hd_sites_string(&u->p->sites, name[0] ? name : "asm");
    LLVMValueRef args[] = { hd_pass_u32(u->p, site) };
    place_behind(u, call);
    hd_pass_hook(u->p, "__heddle_foreign_wrote", u->p->nothing, args, 1);
}

void hd_undefined_call(struct hd_undefined *u, LLVMValueRef call)
{
    LLVMValueRef callee = hd_code_callee(call);
    const char *name = hd_code_callee_name(call);
    if (callee == NULL) {
        if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
            foreign(u, call);
        return;
    }
    if (hd_str_starts(name, "llvm.va_start") || hd_str_starts(name, "llvm.va_copy")) {
        if (concerns(u, call, 0))
            written(u, call, 0, false, hd_pass_u64(u->p, 24));
        return;
    }
    if (hd_str_starts(name, "llvm.") || hd_str_starts(name, "__heddle_"))
        return;
    const struct hd_libc *row = hd_libc_find(name);
    enum hd_comparison how;
    int limit;
    if (row == NULL)
        foreign(u, call);
    else if (is_comparison(name, &how, &limit))
        compared(u, call, how, limit);
    else if (row->class == HD_LIBC_EXPAND)
        by_recipe(u, call, row->effects);
    else if (row->class != HD_LIBC_PURE)
        by_effects(u, call, row);
}
