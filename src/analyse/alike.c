#include "analyse/alike.h"

#include "analyse/format.h"
#include "analyse/plain_assembly.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct hd_facts *facts;
    struct hd_points_to *p;
    bool *own; /* by object: its address differs between threads */
};

/* ---- which values hold such addresses ---- */

static bool others_run(const struct hd_entries *threads, uint32_t function)
{
    for (uint32_t e = 1; e < threads->n; e++)
        if (hd_threads_runs(threads, e, function))
            return true;
    return false;
}

/* Is the object on the stack or in the heap of a thread that main has started? */
static bool is_of_others(const struct search *s, const struct hd_abstract *object)
{
    LLVMValueRef function = NULL;
    if (LLVMIsAArgument(object->value))
        function = LLVMGetParamParent(object->value);
    else if (LLVMIsAInstruction(object->value))
        function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(object->value));
    return !function || others_run(&s->facts->threads, hd_code_function(s->p->code, function));
}

static bool differs(const struct search *s, const struct hd_abstract *object)
{
    switch (object->kind) {
    case HD_OBJECT_STACK:
    case HD_OBJECT_HEAP:
        return !object->value || is_of_others(s, object);
    case HD_OBJECT_THREAD:
    case HD_OBJECT_LIBRARY:
    case HD_OBJECT_VARIADIC:
        return true;
    default:
        return false;
    }
}

/* The unknown stands for every escaped object. */
static void find_own(struct search *s)
{
    const struct hd_objects *objects = &s->p->objects;
    s->own = hd_alloc((objects->n + 1) * sizeof *s->own);
    for (uint32_t i = 1; i < objects->n; i++) {
        s->own[i] = differs(s, &objects->items[i]);
        s->own[HD_UNKNOWN_OBJECT] |= s->own[i] && objects->items[i].escaped &&
                                     objects->items[i].kind != HD_OBJECT_LIBRARY;
    }
}

static bool any_own(const struct search *s, const uint32_t *locations, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (s->own[s->p->objects.locations[locations[i]].object])
            return true;
    return false;
}

/* May the value hold such an address?  What arithmetic makes does not: that is looked at where
 * it is done, and a distance inside of one object is the same in every thread. */
static bool holds(const struct search *s, LLVMValueRef value)
{
    uint32_t n;
    if (LLVMIsABinaryOperator(value))
        return false;
    const uint32_t *locations = hd_points_to_get(s->p, value, &n);
    return any_own(s, locations, n);
}

/* May the memory behind the pointer hold one? */
static bool leads_to_holder(const struct search *s, LLVMValueRef pointer)
{
    uint32_t n, held;
    const uint32_t *at = hd_points_to_get(s->p, pointer, &n);
    uint32_t *objects = hd_alloc((n + 1) * sizeof *objects);
    bool found = false;
    for (uint32_t i = 0; i < n; i++)
        objects[i] = s->p->objects.locations[at[i]].object;
    for (uint32_t i = 0; i < n && !found; i++) {
        if (objects[i] == HD_UNKNOWN_OBJECT) {
            found = s->own[HD_UNKNOWN_OBJECT];
            continue;
        }
        const uint32_t *inside = hd_solver_held(s->p->solver, objects[i], &held);
        found = any_own(s, inside, held);
    }
    free(objects);
    return found;
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* A whole address as a number. */
static bool is_word(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

/* May the operand be a number made of such an address?  Numbers of fewer bits are looked at
 * where they are made. */
static bool is_number(const struct search *s, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) >= 64 && holds(s, value);
    case LLVMVectorTypeKind:
        return holds(s, value);
    default:
        return false;
    }
}

/* ---- instructions ---- */

/* The one value that the pointer, or the number made of it, is an offset from; NULL: there are
 * several. */
static LLVMValueRef base_of(LLVMValueRef value, unsigned budget)
{
    while (LLVMIsAGetElementPtrInst(value) || LLVMIsABitCastInst(value) ||
           LLVMIsAPtrToIntInst(value) || LLVMIsAIntToPtrInst(value) || LLVMIsAFreezeInst(value))
        value = LLVMGetOperand(value, 0);
    if (!LLVMIsAPHINode(value) || budget == 0)
        return value;
    LLVMValueRef base = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        LLVMValueRef in = base_of(LLVMGetIncomingValue(value, i), budget - 1);
        if (in == value)
            continue;
        if (!in || (base && in != base))
            return value;
        base = in;
    }
    return base ? base : value;
}

static bool same_base(LLVMValueRef inst)
{
    LLVMValueRef a = base_of(LLVMGetOperand(inst, 0), 3), b = base_of(LLVMGetOperand(inst, 1), 3);
    return a && a == b;
}

/* No address: null, a small number as a mark, -1 as MAP_FAILED. */
static bool is_no_address(LLVMValueRef value)
{
    if (LLVMIsNull(value) || LLVMIsUndef(value))
        return true;
    if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr)
        value = LLVMGetOperand(value, 0);
    if (!LLVMIsAConstantInt(value))
        return false;
    long long number = LLVMConstIntGetSExtValue(value);
    return number >= -4096 && number < 4096;
}

/* What has the type of a pointer is null, or made of pointers: C's own rule. */
static bool is_made_of_pointers(const struct search *s, LLVMValueRef value)
{
    uint32_t n;
    if (is_pointer(value))
        return true;
    hd_points_to_get(s->p, value, &n);
    return n > 0 || is_no_address(value);
}

static bool is_run_by_others(const struct search *s, LLVMValueRef inst)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    return others_run(&s->facts->threads, hd_code_function(s->p->code, function));
}

/* Nothing is known of where the pointer leads: into an exception, or into the library. */
static bool leads_nowhere(const struct search *s, LLVMValueRef inst, LLVMValueRef value)
{
    uint32_t n;
    if (!is_pointer(value) || LLVMIsConstant(value) || !is_run_by_others(s, inst))
        return false;
    const uint32_t *locations = hd_points_to_get(s->p, value, &n);
    bool unknown = n == 0;
    for (uint32_t i = 0; i < n && !unknown; i++)
        unknown = s->p->objects.locations[locations[i]].object == HD_UNKNOWN_OBJECT;
    return unknown;
}

static const char *look_at_comparison(const struct search *s, LLVMValueRef inst)
{
    LLVMIntPredicate how = LLVMGetICmpPredicate(inst);
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    bool wide = is_pointer(a) || is_word(LLVMTypeOf(a)) ||
                LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMVectorTypeKind;
    bool ordered = how != LLVMIntEQ && how != LLVMIntNE;
    bool unknown = ordered && (leads_nowhere(s, inst, a) || leads_nowhere(s, inst, b));
    if (!wide || (!unknown && !holds(s, a) && !holds(s, b)))
        return NULL;
    if (ordered)
        return same_base(inst) ? NULL : "orders addresses";
    return is_made_of_pointers(s, a) && is_made_of_pointers(s, b)
               ? NULL
               : "compares an address with a number";
}

/* The value comes out of memory or out of a register: is it part of an address? */
static bool is_part(const struct search *s, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
        is_word(type))
        return false;
    return holds(s, value);
}

static bool has_word(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind)
        return has_word(LLVMGetElementType(type));
    if (kind != LLVMStructTypeKind)
        return kind == LLVMPointerTypeKind || is_word(type);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (has_word(LLVMStructGetTypeAtIndex(type, i)))
            return true;
    return false;
}

static const char *look_at_operands(const struct search *s, LLVMValueRef inst, unsigned first)
{
    for (unsigned i = first; i < (unsigned)LLVMGetNumOperands(inst); i++)
        if (is_number(s, LLVMGetOperand(inst, i)))
            return "computes with an address";
    return NULL;
}

static const char *look_at_atomic(const struct search *s, LLVMValueRef inst)
{
    LLVMValueRef value = LLVMGetOperand(inst, 1);
    bool whole = is_pointer(value) || is_word(LLVMTypeOf(value));
    bool moves = LLVMIsAAtomicCmpXchgInst(inst) ||
                 LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpXchg;
    bool taken = holds(s, inst) || holds(s, value);
    return taken && !(whole && moves) ? "computes with an address" : NULL;
}

/* ---- calls ---- */

static bool is_among(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0 ||
            ((*list)[strlen(*list) - 1] == '*' && strncmp(name, *list, strlen(*list) - 1) == 0))
            return true;
    return false;
}

/* Functions that tell an address of the stack, or whose result depends on one. */
static bool tells(const char *name)
{
    static const char *const list[] = { "pthread_getattr_np",
                                        "pthread_attr_getstack*",
                                        "llvm.frameaddress*",
                                        "llvm.returnaddress*",
                                        "llvm.addressofreturn*",
                                        "llvm.sponentry*",
                                        "llvm.read_register*",
                                        "llvm.read_volatile_reg*",
                                        "llvm.localaddress*",
                                        "llvm.thread.pointer*",
                                        "llvm.x86.rd*",
                                        "llvm.x86.fxsave*",
                                        "llvm.x86.xsave*",
                                        "__builtin_frame_addr*",
                                        "__tls_get_addr",
                                        "getcontext",
                                        "setjmp",
                                        "_setjmp",
                                        "__sigsetjmp",
                                        "backtrace*",
                                        NULL };
    return is_among(name, list);
}

/* Functions whose result is an address in the library's own memory of the thread. */
static bool gives_own(const char *name)
{
    static const char *const list[] = { "__errno_location",    "__h_errno_location",
                                        "__ctype_b_loc",       "__ctype_tolower_loc",
                                        "__ctype_toupper_loc", NULL };
    return is_among(name, list);
}

/* Is the address only read and written through? */
static bool is_only_followed(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsALoadInst(user) &&
            !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address))
            return false;
    }
    return true;
}

/* Functions that look at no byte of what they are given, or only move it. */
static bool only_moves(const char *name)
{
    static const char *const list[] = { "pthread_*",
                                        "sem_*",
                                        "mtx_*",
                                        "cnd_*",
                                        "thrd_*",
                                        "tss_*",
                                        "call_once",
                                        "malloc",
                                        "calloc",
                                        "realloc",
                                        "reallocarray",
                                        "free",
                                        "aligned_alloc",
                                        "memalign",
                                        "valloc",
                                        "posix_memalign",
                                        "memcpy",
                                        "memmove",
                                        "mempcpy",
                                        "__mempcpy",
                                        "memset",
                                        "bzero",
                                        "explicit_bzero",
                                        "_Znwm*",
                                        "_Znam*",
                                        "_ZdlPv*",
                                        "_ZdaPv*",
                                        "__assert_fail",
                                        "__heddle_shown*",
                                        "llvm.memcpy*",
                                        "llvm.memmove*",
                                        "llvm.memset*",
                                        "llvm.lifetime*",
                                        "llvm.dbg*",
                                        "llvm.va_*",
                                        "llvm.stack*",
                                        "llvm.expect*",
                                        "llvm.assume*",
                                        "llvm.object*",
                                        "llvm.prefetch*",
                                        "llvm.invariant*",
                                        "llvm.*annotation*",
                                        "llvm.ptr.annotation*",
                                        "llvm.var.annotation*",
                                        "llvm.threadlocal*",
                                        "llvm.donothing*",
                                        "llvm.trap*",
                                        "llvm.eh.*",
                                        "__cxa_*",
                                        NULL };
    return is_among(name, list);
}

/* Code that is not here gets the argument. */
static const char *look_at_argument(const struct search *s, LLVMValueRef call, unsigned i,
                                    const char *name, const struct hd_libc *row)
{
    LLVMValueRef value = LLVMGetOperand(call, i);
    bool moves = only_moves(name);
    if (!is_pointer(value))
        return is_number(s, value) && !(moves && strncmp(name, "pthread_", 8) == 0)
                   ? "gives an address to a function as a number"
                   : NULL;
    if (moves)
        return NULL;
    if (!row)
        return holds(s, value) || leads_to_holder(s, value)
                   ? "gives an address to a function that heddle does not know"
                   : NULL;
    int format = hd_libc_format(row);
    if (format >= 0 && i > (unsigned)format && holds(s, value) &&
        !hd_format_is_string(call, (unsigned)format, i))
        return "prints an address";
    return leads_to_holder(s, value) ? "gives a function bytes that may be addresses" : NULL;
}

static uint64_t alignment_of(LLVMValueRef call, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return align ? LLVMGetEnumAttributeValue(align) : 1;
}

/* Pointers are found in memory by whole words. */
static const char not_aligned[] = "copies an address to where it may not be aligned";

static const char *look_at_copy(const struct search *s, LLVMValueRef call, const char *name)
{
    static const char *const copies[] = { "llvm.memcpy*", "llvm.memmove*", "memcpy", "memmove",
                                          "mempcpy",      "__mempcpy",     NULL };
    if (!is_among(name, copies) || (alignment_of(call, 0) >= 8 && alignment_of(call, 1) >= 8))
        return NULL;
    return leads_to_holder(s, LLVMGetOperand(call, 1)) ? not_aligned : NULL;
}

static const char *look_at_access(const struct search *s, LLVMValueRef inst)
{
    bool load = LLVMIsALoadInst(inst) != NULL;
    LLVMValueRef value = load ? inst : LLVMGetOperand(inst, 0);
    if (load && is_part(s, inst))
        return "takes a part of an address";
    return LLVMGetAlignment(inst) < 8 && !is_part(s, value) && has_word(LLVMTypeOf(value)) &&
                   holds(s, value)
               ? not_aligned
               : NULL;
}

/* Code that is not here may find out which thread runs it, without any argument. */
static const char *look_at_unseen(const struct search *s, LLVMValueRef call, const char *name,
                                  const struct hd_libc *row)
{
    if (tells(name))
        return "asks for an address of the stack";
    if (gives_own(name))
        return is_only_followed(call) ? NULL : "asks for an address of the library's";
    bool known = row || only_moves(name) || strncmp(name, "llvm.", 5) == 0;
    return !known && is_run_by_others(s, call) ? "calls a function that heddle does not know"
                                               : NULL;
}

static const char *look_at_callee(const struct search *s, LLVMValueRef call, const char *name)
{
    const struct hd_libc *row = hd_libc_find(name);
    const char *why = look_at_unseen(s, call, name, row);
    if (!why)
        why = look_at_copy(s, call, name);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !why; i++)
        why = look_at_argument(s, call, i, name, row);
    return why;
}

/* Assembly sees its operands, and the registers that it names. */
static const char *look_at_assembly(const struct search *s, LLVMValueRef call)
{
    const char *why = NULL;
    if (!hd_assembly_is_plain(LLVMGetCalledValue(call)) && is_run_by_others(s, call))
        return "is assembly that may ask for an address";
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !why; i++)
        why = look_at_argument(s, call, i, "", NULL);
    return why;
}

static const char *look_at_call(const struct search *s, LLVMValueRef call, uint32_t point)
{
    uint32_t n;
    const char *why = NULL;
    const struct hd_code *code = s->p->code;
    const struct hd_edge *edges = hd_points_to_edges(s->p, point, &n);
    LLVMValueRef callee = hd_code_callee(call);
    if (callee && LLVMIsDeclaration(callee))
        return look_at_callee(s, call, hd_code_callee_name(call));
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return look_at_assembly(s, call);
    if (s->p->calls_unknown[point])
        why = look_at_callee(s, call, "");
    for (uint32_t i = 0; i < n && !why; i++)
        if (!hd_code_is_defined(code, edges[i].function) && edges[i].kind == HD_EDGE_CALL)
            why = look_at_callee(s, call, code->functions[edges[i].function].name);
    return why;
}

static const char *look(const struct search *s, LLVMValueRef inst, uint32_t point)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return look_at_call(s, inst, point);
    case LLVMICmp:
        return look_at_comparison(s, inst);
    case LLVMLoad:
    case LLVMStore:
        return look_at_access(s, inst);
    case LLVMPtrToInt:
        if (leads_nowhere(s, inst, LLVMGetOperand(inst, 0)))
            return "makes a number of an address that is not known";
        return is_part(s, inst) ? "takes a part of an address" : NULL;
    case LLVMBitCast:
    case LLVMVAArg:
    case LLVMExtractElement:
        return is_part(s, inst) ? "takes a part of an address" : NULL;
    case LLVMExtractValue:
        return !has_word(LLVMTypeOf(LLVMGetOperand(inst, 0))) && is_part(s, inst)
                   ? "takes a part of an address"
                   : NULL;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return look_at_atomic(s, inst);
    case LLVMGetElementPtr:
        return look_at_operands(s, inst, 1);
    case LLVMSub:
        return same_base(inst) ? NULL : look_at_operands(s, inst, 0);
    case LLVMAlloca:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMIntToPtr:
    case LLVMFreeze:
    case LLVMInsertValue:
    case LLVMRet:
    case LLVMBr:
    case LLVMFence:
    case LLVMUnreachable:
    case LLVMLandingPad:
    case LLVMResume:
        return NULL;
    default:
        return look_at_operands(s, inst, 0);
    }
}

struct hd_alike hd_alike_find(struct hd_facts *facts)
{
    struct search s = { .facts = facts, .p = &facts->points_to };
    struct hd_alike found = { HD_NO_POINT, NULL };
    if (hd_solver_is_coarse(s.p->solver))
        return (struct hd_alike){ HD_NO_POINT, "nothing is known of what pointers point to" };
    find_own(&s);
    for (uint32_t i = 0; i < facts->code.n_insts && !found.why; i++)
        found = (struct hd_alike){ i, look(&s, facts->code.insts[i], i) };
    free(s.own);
    return found;
}
