#include "instrument/calls.h"

#include "core/memory_order.h"

#include "analyse/format.h"
#include "analyse/libc.h"
#include "instrument/await.h"
#include "instrument/cxx.h"
#include "instrument/expand.h"
#include "instrument/frames.h"
#include "instrument/memory.h"
#include "instrument/names.h"
#include "instrument/notes.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = 16 };

/* Memory that a call is about to touch. */
struct range {
    unsigned arg;
    bool writes, string, nullable;
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
    hd_memory_keep(c->p, address, hd_pass_u64(c->p, 4));
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
    hd_pass_hook(p, r->writes ? "__heddle_will_write" : "__heddle_will_read", p->nothing, args,
                 3);
}

/* The call will see what was there when the read was announced, whatever other threads do until
 * it runs. */
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

static LLVMValueRef widened(struct hd_call *c, LLVMValueRef value)
{
    return LLVMBuildZExtOrBitCast(c->p->builder, value, c->p->i64, "");
}

static LLVMValueRef effect_bytes(struct hd_call *c, const struct hd_effect *e)
{
    if (e->factor[0] < 0)
        return hd_pass_u64(c->p, e->extent == HD_EXTENT_STRING ? UINT64_MAX : e->constant);
    LLVMValueRef bytes = widened(c, arg(c, (unsigned)e->factor[0]));
    if (e->factor[1] < 0)
        return bytes;
    return LLVMBuildMul(c->p->builder, bytes, widened(c, arg(c, (unsigned)e->factor[1])), "");
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

/* Reads, the one the result points into last, then the write. */
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

/* Says what a row's effects say.  False when they are not known for this call. */
static bool announce_effects(struct hd_call *c, const struct hd_libc *row)
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
                               .bytes = effect_bytes(c, &e) };
            add_range(ranges, &n, r, result);
        }
    }
    if (n > 1 && LLVMIsAInvokeInst(c->inst))
        return false;
    announce_all(c, ranges, (size_t)n, false);
    return true;
}

static void tell_site(struct hd_call *c)
{
    LLVMBuildStore(c->p->builder, hd_pass_u32(c->p, c->site), c->p->call_site);
}

static void list(struct hd_pass *p, const char *name)
{
    if (!hd_strs_has(&p->externals, name))
        hd_strs_add(&p->externals, name);
}

static void tell_unknown(struct hd_call *c)
{
    list(c->p, c->name);
    hd_note_reached(c->p, c->inst, HD_NOTE_EXTERNAL, c->name);
}

/* Before the call and behind it: it may call back, and another step may have begun when it
 * returns. */
static void tell_opaque(struct hd_call *c, bool unknown)
{
    LLVMValueRef site = hd_pass_u32(c->p, c->site);
    hd_pass_hook(c->p, "__heddle_opaque", c->p->nothing, &site, 1);
    LLVMValueRef next = hd_frames_behind(c->inst);
    if (next) {
        hd_pass_before(c->p, next);
        hd_pass_hook(c->p, "__heddle_opaque_end", c->p->nothing, &site, 1);
        hd_pass_before(c->p, c->inst);
    }
    if (unknown)
        tell_unknown(c);
}

/* What the runtime supplies is not what the optimiser takes it for: an allocation may fail, and
 * freeing twice must be seen, so neither may be dropped as having no effect. */
static void hide_meaning(struct hd_call *c)
{
    static const char *const known[] = { "builtin", "allockind", "allocsize", "memory" };
    LLVMValueRef callee = hd_plan_callee(c->inst);
    const LLVMAttributeIndex whole = (LLVMAttributeIndex)-1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(known[i], strlen(known[i]));
        if (kind == 0)
            continue;
        LLVMRemoveCallSiteEnumAttribute(c->inst, whole, kind);
        LLVMRemoveEnumAttributeAtIndex(callee, whole, kind);
    }
    unsigned kind = LLVMGetEnumAttributeKindForName("nobuiltin", 9);
    LLVMAttributeRef nobuiltin = LLVMCreateEnumAttribute(c->p->context, kind, 0);
    LLVMAddCallSiteAttribute(c->inst, whole, nobuiltin);
    LLVMAddAttributeAtIndex(callee, whole, nobuiltin);
}

static void rewrite_known(struct hd_call *c, const struct hd_libc *row)
{
    if (row->class == HD_LIBC_MODEL)
        hide_meaning(c);
    if (strcmp(c->name, "pthread_create") == 0 && !hd_call_is_shared(c, 0))
        c->p->sites.items[c->site].size = HD_SITE_OWN_RESULT;
    if (strstr(c->name, "_try") && hd_cxx_backs_off(c->inst))
        c->p->sites.items[c->site].size = HD_SITE_BACKS_OFF;
    if (row->class == HD_LIBC_EXPAND) {
        enum hd_expanded done = hd_expand(c, row->effects);
        if (done == HD_EXPANDED_REPLACED)
            return;
        hd_pass_before(c->p, c->inst);
        if (done == HD_EXPANDED_NOT)
            tell_opaque(c, true);
    } else if (!announce_effects(c, row)) {
        tell_opaque(c, true);
    } else if (row->class == HD_LIBC_STATE || row->class == HD_LIBC_WORLD) {
        tell_opaque(c, row->class == HD_LIBC_WORLD);
    }
    tell_site(c);
}

static void announce_byval(struct hd_call *c)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->inst); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(c->inst, i + 1, kind);
        if (attribute == NULL || !hd_call_is_shared(c, i))
            continue;
        uint64_t bytes = LLVMABISizeOfType(c->p->layout, LLVMGetTypeAttributeValue(attribute));
        uint32_t site = hd_sites_add(&c->p->sites, c->inst, HD_OP_READ, bytes, i);
        LLVMValueRef args[] = { arg(c, i), hd_pass_u64(c->p, bytes), hd_pass_u32(c->p, site) };
        hd_pass_hook(c->p, "__heddle_will_read", c->p->nothing, args, 3);
    }
}

/* The places that inline assembly names as operands: how many there are that others may share.
 * `announce`: the last of them is announced as an atomic access that reads and writes it, so that both orders with those
 * of other threads are tried. */
static unsigned shared_places(struct hd_call *c, bool announce)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11), n = 0;
    LLVMValueRef place = NULL;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->inst); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(c->inst, i + 1, kind);
        if (!attribute || arg(c, i) == place || !hd_call_is_shared(c, i))
            continue;
        n++;
        place = arg(c, i);
        bytes = LLVMABISizeOfType(c->p->layout, LLVMGetTypeAttributeValue(attribute));
    }
    if (!n || !announce)
        return n;
    hd_pass_before(c->p, c->inst);
    uint32_t site = hd_sites_add(&c->p->sites, c->inst, HD_OP_RMW, bytes, HD_NAMES_ANY);
    LLVMValueRef args[] = { place, hd_pass_u64(c->p, bytes), hd_pass_u32(c->p, HD_ORDER_STRONG),
                            hd_pass_u32(c->p, site) };
    hd_pass_hook(c->p, "__heddle_will_rmw", c->p->nothing, args, 4);
    return n;
}

/* Code that LLVM-C's predecessors of version 18 can't show is taken to touch memory. */
static void note_assembly(struct hd_call *c, LLVMValueRef assembly)
{
#if LLVM_VERSION_MAJOR >= 18
    size_t n;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &n);
    const char *instruction = hd_note_uncontrolled_code(code, n);
    if (instruction)
        hd_note_reached(c->p, c->inst, HD_NOTE_UNCONTROLLED, instruction);
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &n);
    bool any = strstr(constraints, "{memory}"), places = strchr(constraints, '*');
    if (hd_await_polite(assembly) || (!any && !places))
        return;
    /* Without the clobber "memory" it touches its operands alone.  (One step cannot announce two.) */
    if (shared_places(c, false) < 2 && !any) {
        shared_places(c, true);
        return;
    }
#else
    (void)assembly;
#endif
    c->p->stats.inline_asm++;
    hd_note_reached(c->p, c->inst, HD_NOTE_ASSEMBLY, "asm");
    tell_opaque(c, false);
    shared_places(c, true); /* last: the access follows its announcement at once */
}

static bool has_shared_pointer(const struct hd_call *c)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->inst); i++)
        if (hd_call_is_shared(c, i))
            return true;
    return false;
}

static bool is_quiet_intrinsic(const char *name)
{
    static const char *const list[] = {
        "llvm.lifetime.",
        "llvm.dbg.",
        "llvm.va_",
        "llvm.objectsize.",
        "llvm.prefetch.",
        "llvm.invariant.",
        "llvm.assume",
        "llvm.stack",
        "llvm.threadlocal",
        "llvm.eh.",
        "llvm.ptr.annotation",
        "llvm.launder.",
        "llvm.strip.",
        "llvm.returnaddress",
        "llvm.frameaddress",
        "llvm.var.annotation",
        "llvm.ptrmask",
        "llvm.is.constant",
        "llvm.expect",
        "llvm.clear_cache",
        "llvm.experimental.noalias",
        "llvm.fake.use",
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (hd_str_starts(name, list[i]))
            return true;
    return false;
}

static void rewrite_intrinsic(struct hd_call *c)
{
    const char *instruction = hd_note_uncontrolled_intrinsic(c->name);
    if (instruction) {
        list(c->p, c->name);
        hd_note_reached(c->p, c->inst, HD_NOTE_UNCONTROLLED, instruction);
        return;
    }
    if (is_quiet_intrinsic(c->name) || !has_shared_pointer(c))
        return;
    c->site = hd_sites_add(&c->p->sites, c->inst, HD_OP_NONE, 0, HD_NAMES_ANY);
    tell_opaque(c, true);
}

static void rewrite_external(struct hd_call *c)
{
    const struct hd_libc *row = hd_libc_find(c->name);
    if (row && row->class == HD_LIBC_PURE)
        return;
    c->site = hd_sites_add(&c->p->sites, c->inst, HD_OP_NONE, 0, HD_NAMES_ANY);
    hd_note_call(c->p, c->inst, c->name);
    if (row) {
        rewrite_known(c, row);
        return;
    }
    tell_opaque(c, true);
    tell_site(c);
}

void hd_calls_rewrite(struct hd_pass *p, struct hd_plan *plan, LLVMValueRef call)
{
    struct hd_call c = { .p = p, .plan = plan, .inst = call };
    LLVMValueRef callee = hd_plan_callee(call), value = LLVMGetCalledValue(call);
    size_t n;
    hd_frames_call(p, call);
    hd_pass_before(p, call);
    if (LLVMIsAInlineAsm(value)) {
        c.site = hd_sites_add(&p->sites, call, HD_OP_NONE, 0, HD_NAMES_ANY);
        note_assembly(&c, value);
        return;
    }
    if (callee == NULL) {
        /* Whoever is called, the runtime must not take an older call's site for this one's. */
        announce_byval(&c);
        c.site = hd_sites_add(&p->sites, call, HD_OP_NONE, 0, HD_NAMES_ANY);
        tell_site(&c);
        return;
    }
    char *name = hd_strdup(LLVMGetValueName2(callee, &n));
    c.name = name;
    if (hd_str_starts(name, "llvm.")) {
        rewrite_intrinsic(&c);
    } else if (!hd_str_starts(name, "__heddle_")) {
        announce_byval(&c);
        if (LLVMIsDeclaration(callee))
            rewrite_external(&c);
    }
    free(name);
}
