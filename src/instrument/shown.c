#include "instrument/shown.h"

#include "analyse/branches.h"
#include "core/finding.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define HOOK "__heddle_shown"
#define HOOK_POINTER "__heddle_shown_pointer"

enum {
    DEPTH = 8, /* of an expression */
    MOST_BLOCKS = 512
};

struct shown {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMValueRef loads[HD_MAX_SHOWN]; /* of different variables */
    unsigned n;
};

static bool is_assertion(LLVMValueRef inst)
{
    const char *name = LLVMIsACallInst(inst) ? hd_code_callee_name(inst) : "";
    return strcmp(name, "__assert_fail") == 0 || strcmp(name, "heddle_assert_fail") == 0;
}

/* It says something about the variable, and does nothing. */
static bool is_note(LLVMValueRef inst)
{
    const char *name = LLVMIsACallInst(inst) ? hd_code_callee_name(inst) : "";
    return hd_str_starts(name, "llvm.dbg.") || hd_str_starts(name, "llvm.lifetime.");
}

/* ---- the way to the call ---- */

/* Can control get from the first block of the function to `to` without `without`? */
static bool reaches_without(LLVMBasicBlockRef to, LLVMBasicBlockRef without)
{
    LLVMBasicBlockRef seen[MOST_BLOCKS];
    unsigned n = 0;
    seen[n++] = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(to));
    for (unsigned i = 0; i < n; i++) {
        if (seen[i] == without)
            continue;
        if (seen[i] == to)
            return true;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[i]);
        for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            unsigned k = 0;
            while (k < n && seen[k] != next)
                k++;
            if (k == n && n == MOST_BLOCKS)
                return true;
            if (k == n)
                seen[n++] = next;
        }
    }
    return false;
}

/* ---- which locals ---- */

/* The zeroing that -ftrivial-auto-var-init adds is not the program's own store. */
static bool is_own(LLVMValueRef store)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(store));
    return !LLVMGetMetadata(store, LLVMGetMDKindIDInContext(context, "annotation", 10));
}

/* Is the store part of the condition?  All of an assertion has the line of its macro. */
static bool is_inside(LLVMValueRef store, LLVMBasicBlockRef at)
{
    return is_own(store) &&
           hd_code_place(store).line == hd_code_place(LLVMGetFirstInstruction(at)).line;
}

/* It is only loaded and stored, never by the condition itself, and has a value whenever the
 * assertion fails. */
static bool is_plain(LLVMValueRef slot, LLVMValueRef load, LLVMBasicBlockRef at)
{
    bool set = false;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_note(user) || (LLVMIsALoadInst(user) && !LLVMGetVolatile(user) &&
                              LLVMTypeOf(user) == LLVMTypeOf(load)))
            continue;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != slot || LLVMGetVolatile(user))
            return false;
        LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
        set = set || (block != at && is_own(user) && !reaches_without(at, block));
        if (is_inside(user, at))
            return false;
        if (block != LLVMGetInstructionParent(load))
            continue;
        for (LLVMValueRef i = LLVMGetNextInstruction(load); i; i = LLVMGetNextInstruction(i))
            if (i == user)
                return false;
    }
    return set;
}

/* A global variable whose value is known where the assertion fails: its load is always done
 * then, and the condition does not change it. */
static bool is_kept(LLVMValueRef variable, LLVMValueRef load, LLVMBasicBlockRef at)
{
    if (!LLVMIsAGlobalVariable(variable) || LLVMIsGlobalConstant(variable) ||
        LLVMIsThreadLocal(variable) || reaches_without(at, LLVMGetInstructionParent(load)))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) && !LLVMIsALoadInst(user) && is_inside(user, at))
            return false;
    }
    return true;
}

static bool is_simple(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) % 8 == 0 && LLVMGetIntTypeWidth(type) <= 64;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    default:
        return false;
    }
}

static void take(struct shown *s, LLVMValueRef load, LLVMBasicBlockRef at)
{
    LLVMValueRef slot = LLVMGetOperand(load, 0);
    size_t n;
    bool local = LLVMIsAAllocaInst(slot);
    if (s->n == HD_MAX_SHOWN || !is_simple(LLVMTypeOf(load)) ||
        !hd_names_get(load, hd_names_kind(s->context), 0, &n) ||
        !(local ? is_plain(slot, load, at) : is_kept(slot, load, at)))
        return;
    for (unsigned i = 0; i < s->n; i++)
        if (LLVMGetOperand(s->loads[i], 0) == slot)
            return;
    s->loads[s->n++] = load;
}

/* The locals and global variables of the expression, from left to right. */
static void look_at(struct shown *s, LLVMValueRef value, LLVMBasicBlockRef at, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || depth == 0)
        return;
    LLVMValueRef from = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (from && (LLVMIsAAllocaInst(from) || LLVMIsAGlobalVariable(from))) {
        take(s, value, at);
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!LLVMValueIsBasicBlock(LLVMGetOperand(value, i)))
            look_at(s, LLVMGetOperand(value, i), at, depth - 1);
}

static void look_at_ways(struct shown *s, LLVMBasicBlockRef at)
{
    struct hd_branches branches;
    hd_branches_find(&branches, at);
    for (unsigned i = branches.n; i-- > 0;)
        look_at(s, hd_branches_condition(branches.blocks[i]), at, DEPTH);
}

/* ---- telling the runtime ---- */

static LLVMValueRef hook(struct shown *s, const char *name, LLVMTypeRef value)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);
    LLVMTypeRef params[] = { value, i32, i32, i32 };
    LLVMValueRef known = LLVMGetNamedFunction(s->module, name);
    return known ? known
                 : LLVMAddFunction(
                       s->module, name,
                       LLVMFunctionType(LLVMVoidTypeInContext(s->context), params, 4, 0));
}

/* The name and the type of the local become those of the call. */
static void name_call(struct shown *s, LLVMValueRef call, LLVMValueRef load)
{
    unsigned kind = hd_names_kind(s->context);
    size_t n;
    const char *type = hd_names_type(load, &n);
    LLVMSetMetadata(call, kind, LLVMGetMetadata(load, kind));
    if (type)
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMCreateStringAttribute(s->context, HD_NAMES_TYPE,
                                                           sizeof HD_NAMES_TYPE - 1, type,
                                                           (unsigned)n));
}

static void tell(struct shown *s, LLVMBuilderRef builder, LLVMValueRef load, unsigned index)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(s->context);
    LLVMTypeRef bytes = LLVMPointerType(LLVMInt8TypeInContext(s->context), 0);
    LLVMTypeRef type = LLVMTypeOf(load);
    bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMValueRef slot = LLVMGetOperand(load, 0);
    LLVMValueRef value = LLVMIsAAllocaInst(slot) ? LLVMBuildLoad2(builder, type, slot, "") : load;
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(s->module), type);
    if (pointer)
        value = LLVMBuildPointerCast(builder, value, bytes, "");
    else if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        value = LLVMBuildBitCast(builder, value,
                                 LLVMIntTypeInContext(s->context, (unsigned)size * 8), "");
    if (!pointer)
        value = LLVMBuildZExt(builder, value, i64, "");
    LLVMValueRef f = hook(s, pointer ? HOOK_POINTER : HOOK, pointer ? bytes : i64);
    LLVMValueRef args[] = { value, LLVMConstInt(i32, index, 0), LLVMConstInt(i32, size, 0),
                            LLVMConstInt(i32, 0, 0) };
    name_call(s, LLVMBuildCall2(builder, LLVMGlobalGetValueType(f), f, args, 4, ""), load);
}

void hd_shown_keep(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                struct shown s = { .module = module, .context = context };
                if (!is_assertion(i))
                    continue;
                look_at_ways(&s, b);
                LLVMPositionBuilderBefore(builder, i);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
                for (unsigned k = 0; k < s.n; k++)
                    tell(&s, builder, s.loads[k], k);
            }
    LLVMDisposeBuilder(builder);
}

bool hd_shown_settle(struct hd_pass *p, LLVMValueRef call, const char *callee)
{
    enum { SITE = 3 };
    if (strcmp(callee, HOOK) != 0 && strcmp(callee, HOOK_POINTER) != 0)
        return false;
    uint32_t site = hd_sites_add(&p->sites, call, HD_OP_NONE, 0, 0);
    LLVMSetOperand(call, SITE, hd_pass_u32(p, site));
    return true;
}
