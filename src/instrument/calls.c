#include "instrument/calls.h"

#include "core/memory_order.h"

#include "analyse/fits.h"
#include "analyse/libc.h"
#include "compile/native_names.h"
#include "instrument/call.h"
#include "instrument/cxx.h"
#include "instrument/expand.h"
#include "instrument/frames.h"
#include "instrument/loops.h"
#include "instrument/names.h"
#include "instrument/notes.h"
#include "instrument/shown.h"
#include "instrument/waits.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

static LLVMValueRef arg(const struct hd_call *c, unsigned i)
{
    return LLVMGetOperand(c->inst, i);
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
    const char *name = hd_fits_name(c->name);
    LLVMValueRef callee = hd_plan_callee(c->inst);
    LLVMAttributeRef in = callee ? LLVMGetStringAttributeAtIndex(
                                       callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       HD_DEFINED_IN, sizeof HD_DEFINED_IN - 1)
                                 : NULL;
    unsigned n = 0;
    const char *file = in ? LLVMGetStringAttributeValue(in, &n) : "";
    char *text = hd_str_format("%s%s%.*s", name, in ? " of " : "", (int)n, file);
    list(c->p, name);
    hd_note_reached(c->p, c->inst, HD_NOTE_EXTERNAL, text);
    free(text);
}

/* Before the call and after it: it may call back, and another step may have begun when it
 * returns. */
/* A call on a stream.  If it is one of a pipe or socket, the runtime makes its steps. */
static void tell_opaque_stream(struct hd_call *c, LLVMValueRef stream)
{
    LLVMValueRef args[] = { stream, hd_pass_u32(c->p, c->site) };
    hd_pass_hook(c->p, "__heddle_opaque_stream", c->p->nothing, args, 2);
    LLVMValueRef next = hd_frames_behind(c->inst);
    if (next) {
        hd_pass_before(c->p, next);
        hd_pass_hook(c->p, "__heddle_opaque_stream_end", c->p->nothing, args, 2);
        hd_pass_before(c->p, c->inst);
    }
}

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

/* The runtime's functions are not what the optimiser assumes: an allocation may fail, and a
 * double free must be seen, so neither may be removed as having no effect. */
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

/* The stream of functions that read standard input without being given it. */
static LLVMValueRef standard_input(struct hd_pass *p)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(p->module, "stdin");
    if (variable == NULL)
        variable = LLVMAddGlobal(p->module, p->pointer, "stdin");
    return LLVMBuildLoad2(p->builder, p->pointer, variable, "");
}

static void tell_stream(struct hd_call *c, LLVMValueRef stream)
{
    LLVMValueRef args[] = { stream, hd_pass_u32(c->p, c->site) };
    hd_pass_hook(c->p, "__heddle_open", c->p->nothing, args, 2);
}

/* The argument of the call that is a stream; -1: there is none. */
static int stream_argument(const struct hd_call *c, const char *effects)
{
    if (strcmp(c->name, "fclose") == 0)
        return 0;
    for (struct hd_effect e; hd_libc_effect(&effects, &e);)
        if (e.kind == HD_EFFECT_OPEN && e.arg < LLVMGetNumArgOperands(c->inst) &&
            !strstr(c->name, "dir"))
            return (int)e.arg;
    return -1;
}

/* In the step of the call: streams and directories that it uses must not have been closed. */
static void tell_open(struct hd_call *c, const char *effects)
{
    if (hd_str_starts(c->name, "getchar"))
        tell_stream(c, standard_input(c->p));
    for (struct hd_effect e; hd_libc_effect(&effects, &e);) {
        if (e.kind != HD_EFFECT_OPEN || e.arg >= LLVMGetNumArgOperands(c->inst))
            continue;
        tell_stream(c, arg(c, e.arg));
    }
}

static void rewrite_known(struct hd_call *c, const struct hd_libc *row)
{
    hd_frames_allow_behind(c->inst); /* there may be something to do after it */
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
    } else if (!hd_call_effects(c, row)) {
        tell_opaque(c, true);
    } else if (row->class == HD_LIBC_STATE || row->class == HD_LIBC_WORLD) {
        int stream = stream_argument(c, row->effects);
        if (stream >= 0)
            tell_opaque_stream(c, arg(c, (unsigned)stream));
        else
            tell_opaque(c, row->class == HD_LIBC_WORLD);
        tell_open(c, row->effects);
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
 * `announce`: the last of them is announced as an atomic access that reads and writes it, so
 * that both orders with those of other threads are tried. */
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

/* One mov from or to the thread's control block: its operand is relative to the thread
 * pointer, and no other thread touches what lies there. */
static bool is_own_block(const char *code, size_t n)
{
    return n > 3 && memcmp(code, "mov", 3) == 0 && memmem(code, n, "%fs:", 4) &&
           !memchr(code, ';', n) && !memchr(code, '\n', n);
}

/* May the code access memory that is no operand: through a register, or by a symbol?  Without
 * the clobber "memory" it must not, but nobody checks that. */
static bool has_address(const char *code, size_t n)
{
    return memchr(code, '(', n) || memchr(code, '[', n) || memmem(code, n, "%rip", 4);
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
    bool own = is_own_block(code, n), hidden = has_address(code, n) && !own;
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &n);
    bool any = strstr(constraints, "{memory}"), places = strchr(constraints, '*');
    if (hd_loop_polite(assembly) || (!any && !hidden && (!places || own)))
        return;
    if (!any && !hidden && !shared_places(c, false))
        return; /* without the clobber "memory" it touches its operands alone */
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
    if (strcmp(c->name, "__errno_location") == 0 && hd_plan_escapes(c->plan, c->inst))
        hd_note_reached(c->p, c->inst, HD_NOTE_ERRNO_TAKEN, "errno");
    if (row && row->class == HD_LIBC_PURE)
        return;
    c->site = hd_sites_add(&c->p->sites, c->inst, HD_OP_NONE, 0, HD_NAMES_ANY);
    hd_note_call(c->p, c->inst, hd_fits_name(c->name));
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
        /* An indirect call: the runtime must not take an older call's site for this one's. */
        announce_byval(&c);
        c.site = hd_sites_add(&p->sites, call, HD_OP_NONE, 0, HD_NAMES_ANY);
        tell_site(&c);
        return;
    }
    char *name = hd_strdup(LLVMGetValueName2(callee, &n));
    c.name = name;
    if (hd_str_starts(name, "llvm.")) {
        rewrite_intrinsic(&c);
    } else if (!hd_waits_settle(p, call, name) && !hd_shown_settle(p, call, name) &&
               !hd_str_starts(name, "__heddle_")) {
        announce_byval(&c);
        if (LLVMIsDeclaration(callee))
            rewrite_external(&c);
    }
    free(name);
}
