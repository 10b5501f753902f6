/* What library functions read and write must lie in variables, too.  Where the memory is a
 * variable, or may be, the extent is checked before the call.  The functions that the runtime
 * supplies check what they touch themselves (runtime/check.c), and so does the expansion of
 * sprintf(), which knows how long the text is. */
#include "analyse/format.h"
#include "analyse/libc.h"
#include "instrument/bounds.h"
#include "instrument/call.h"

#include <string.h>

enum { MOST_STRINGS = 16 };

/* The effects of functions that are rewritten into hooks, in the notation of libc.def. */
static const struct {
    const char *recipe, *effects;
} recipes[] = {
    { "memcpy", "w0:2 r1:2" },
    { "mempcpy", "w0:2 r1:2" },
    { "bcopy", "r0:2 w1:2" },
    { "memset", "w0:2" },
    { "bzero", "w0:1" },
    { "strcpy", "r1:s" },
    { "stpcpy", "r1:s" },
    { "strncpy", "w0:2 r1:s2" },
    { "stpncpy", "w0:2 r1:s2" },
    { "strcat", "r0:s r1:s" },
    { "strncat", "r0:s r1:s2" },
    { "sprintf", "f1" },
    { "snprintf", "f2" },
    { "strtol", "r0:s w1?:=8" },
    { "strtok_r", "r0?:s r1:s w2:=8" },
    { "qsort", "w0:1*2" },
    { "sincos", "w1:=8 w2:=8" },
    { "sincosf", "w1:=4 w2:=4" },
    { "sincosl", "w1:=16 w2:=16" },
    { "atomic_load", "r1:0 w2:0" },
    { "atomic_store", "w1:0 r2:0" },
    { "atomic_exchange", "w1:0 r2:0 w3:0" },
    { "atomic_compare_exchange", "w1:0 w2:0 r3:0" },
};

static LLVMValueRef arg(LLVMValueRef call, unsigned i) { return LLVMGetOperand(call, i); }

static LLVMValueRef wide(struct hd_bounds *b, LLVMValueRef value)
{
    return LLVMBuildZExtOrBitCast(b->p->builder, value, b->p->i64, "");
}

/* Bytes of the string with its NUL; 0 if it cannot be read, as NULL. */
static LLVMValueRef string_bytes(struct hd_bounds *b, LLVMValueRef text, LLVMValueRef most)
{
    LLVMValueRef args[] = { text, most };
    return hd_pass_hook(b->p, "__heddle_string_bytes", b->p->i64, args, 2);
}

static LLVMValueRef effect_bytes(struct hd_bounds *b, LLVMValueRef call,
                                 const struct hd_effect *e)
{
    bool string = e->extent == HD_EXTENT_STRING;
    LLVMValueRef n = hd_call_extent(b->p, call, e);
    if (string)
        return string_bytes(b, arg(call, e->arg), n);
    if (!e->nullable)
        return n;
    LLVMValueRef null = LLVMBuildIsNull(b->p->builder, arg(call, e->arg), "");
    return LLVMBuildSelect(b->p->builder, null, hd_pass_u64(b->p, 0), n, "");
}

/* The strings that a format prints.  A format that is no literal is read by the runtime. */
static void printed(struct hd_bounds *b, LLVMValueRef call, unsigned format)
{
    struct hd_format_string strings[MOST_STRINGS];
    const char *text = hd_format_literal(arg(call, format));
    int n = text ? hd_format_parse(text, strings, MOST_STRINGS) : 0;
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    for (int i = 0; i < n; i++) {
        const struct hd_format_string *s = &strings[i];
        unsigned index = fixed + s->arg;
        if (!hd_bounds_concerns(b, call, index))
            continue;
        LLVMValueRef most = hd_pass_u64(b->p, s->limit >= 0 ? (uint64_t)s->limit : UINT64_MAX);
        if (s->limit_arg >= 0) /* a negative precision means none */
            most = LLVMBuildSExt(b->p->builder, arg(call, fixed + (unsigned)s->limit_arg),
                                 b->p->i64, "");
        hd_bounds_range(b, call, index, string_bytes(b, arg(call, index), most));
    }
}

static void by_effects(struct hd_bounds *b, LLVMValueRef call, const char *effects)
{
    for (struct hd_effect e; hd_libc_effect(&effects, &e);) {
        if (e.kind == HD_EFFECT_FORMAT && e.arg < LLVMGetNumArgOperands(call))
            printed(b, call, e.arg);
        if ((e.kind == HD_EFFECT_READ || e.kind == HD_EFFECT_WRITE) &&
            hd_bounds_concerns(b, call, e.arg))
            hd_bounds_range(b, call, e.arg, effect_bytes(b, call, &e));
    }
}

/* min(length of the source, limit) + 1: one byte more than the limit is looked at. */
static LLVMValueRef appended_bytes(struct hd_bounds *b, LLVMValueRef source, LLVMValueRef limit)
{
    LLVMBuilderRef builder = b->p->builder;
    LLVMValueRef all = hd_pass_u64(b->p, UINT64_MAX), most = all;
    if (limit) {
        LLVMValueRef more = LLVMBuildAdd(builder, limit, hd_pass_u64(b->p, 1), "");
        most = LLVMBuildSelect(builder, LLVMBuildIsNull(builder, more, ""), all, more, "");
    }
    return string_bytes(b, source, most);
}

/* Strings, unlike ranges of bytes, belong into the array that the call names, also where others
 * follow it in the same structure. */
static void written(struct hd_bounds *b, LLVMValueRef call, LLVMValueRef bytes)
{
    hd_bounds_member(b, call, 0, bytes);
    if (hd_bounds_concerns(b, call, 0))
        hd_bounds_range(b, call, 0, bytes);
}

/* The number of bytes written depends on the source, which has been examined before. */
static void by_source(struct hd_bounds *b, LLVMValueRef call, const char *recipe)
{
    if (strcmp(recipe, "strcpy") == 0 || strcmp(recipe, "stpcpy") == 0) {
        written(b, call, appended_bytes(b, arg(call, 1), NULL));
    } else if (strcmp(recipe, "strncpy") == 0 || strcmp(recipe, "stpncpy") == 0) {
        hd_bounds_member(b, call, 0, arg(call, 2));
    } else if (strcmp(recipe, "strcat") == 0 || strcmp(recipe, "strncat") == 0) {
        LLVMValueRef limit = recipe[3] == 'n' ? wide(b, arg(call, 2)) : NULL;
        LLVMValueRef have = appended_bytes(b, arg(call, 0), NULL);
        LLVMValueRef more = appended_bytes(b, arg(call, 1), limit);
        LLVMValueRef both = LLVMBuildAdd(b->p->builder, have, more, "");
        LLVMValueRef one = hd_pass_u64(b->p, 1); /* of the two NULs one stays */
        written(b, call, LLVMBuildSub(b->p->builder, both, one, ""));
    }
}

static void by_recipe(struct hd_bounds *b, LLVMValueRef call, const char *recipe)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(recipes[i].recipe, recipe) == 0)
            by_effects(b, call, recipes[i].effects);
    LLVMValueRef base;
    if (hd_bounds_concerns(b, call, 0) || hd_bounds_of_member(b->p, arg(call, 0), &base))
        by_source(b, call, recipe);
}

/* ---- ranges that must not overlap ---- */

static bool may_share(struct hd_bounds *b, LLVMValueRef to, LLVMValueRef from)
{
    uint32_t n_to, n_from;
    const struct hd_location *locations = b->points_to->objects.locations;
    const uint32_t *of_to = hd_points_to_get(b->points_to, to, &n_to);
    const uint32_t *of_from = hd_points_to_get(b->points_to, from, &n_from);
    for (uint32_t i = 0; i < n_to; i++)
        for (uint32_t j = 0; j < n_from; j++)
            if (locations[of_to[i]].object == locations[of_from[j]].object)
                return true;
    return false;
}

/* What the call copies from the second range to the first, which must lie apart from it, or,
 * as in the assignment of a structure to itself, be the same.  NULL: it need not. */
static LLVMValueRef copied(struct hd_bounds *b, LLVMValueRef call, const char *name)
{
    if (hd_str_starts(name, "llvm.memcpy") || strcmp(name, "memcpy") == 0 ||
        strcmp(name, "mempcpy") == 0)
        return wide(b, arg(call, 2));
    if (strcmp(name, "strcpy") == 0 || strcmp(name, "stpcpy") == 0)
        return string_bytes(b, arg(call, 1), hd_pass_u64(b->p, UINT64_MAX));
    if (strcmp(name, "strncpy") == 0 || strcmp(name, "stpncpy") == 0)
        return string_bytes(b, arg(call, 1), wide(b, arg(call, 2)));
    return NULL;
}

static void keep_apart(struct hd_bounds *b, LLVMValueRef call, const char *name)
{
    bool copies = hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "mem") ||
                  hd_str_starts(name, "str") || hd_str_starts(name, "stp");
    if (!copies || LLVMGetNumArgOperands(call) < 2 || !may_share(b, arg(call, 0), arg(call, 1)))
        return;
    LLVMValueRef n = copied(b, call, name);
    if (n == NULL)
        return;
    uint32_t site = hd_sites_add(&b->p->sites, call, HD_OP_NONE, 0, 0);
    LLVMValueRef args[] = { arg(call, 0), arg(call, 1), n, hd_pass_u32(b->p, site) };
    hd_pass_hook(b->p, "__heddle_apart", b->p->nothing, args, 4);
}

void hd_bounds_call(struct hd_bounds *b, LLVMValueRef call)
{
    const char *name = hd_code_callee_name(call);
    bool copies = hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "llvm.memmove");
    LLVMValueRef callee = hd_code_callee(call);
    hd_pass_before(b->p, call);
    if (copies || hd_str_starts(name, "llvm.memset")) {
        by_effects(b, call, copies ? "w0:2 r1:2" : "w0:2");
        keep_apart(b, call, name);
        return;
    }
    if (callee == NULL || !LLVMIsDeclaration(callee) || hd_str_starts(name, "llvm."))
        return;
    const struct hd_libc *row = hd_libc_find(name);
    if (strstr(name, "jmp"))
        return; /* how much is kept depends on more than the row says */
    keep_apart(b, call, name);
    if (row && row->class == HD_LIBC_EXPAND)
        by_recipe(b, call, row->effects);
    else if (row && row->class != HD_LIBC_PURE)
        by_effects(b, call, row->effects);
    if (strcmp(name, "fgets") == 0)
        hd_bounds_member(b, call, 0, arg(call, 1));
}
