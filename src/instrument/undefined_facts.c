/* Which values may be without a definition: the least solution of what follows, found by going
 * over the program until nothing changes.
 *
 *  - A marked freeze instruction is.
 *  - What is loaded from an object that may hold such bytes is: heap blocks that are not
 *    cleared, locals declared without a value, every object that such a value is stored in or
 *    copied to, and memory that the analysis knows nothing about.
 *  - What is computed from such a value is; so is the parameter that it is passed to, if every
 *    call of the function is a direct one, and the result of a function that returns it. */
#include "instrument/undefined.h"

#include "instrument/frames.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 64, MOST_RESULT_BYTES = 64 };

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static LLVMValueRef strip(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* ---- marks ---- */

static unsigned mark_kind(LLVMModuleRef module)
{
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "heddle.undefined", 16);
}

static unsigned annotation_kind(LLVMModuleRef module)
{
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "annotation", 10);
}

static bool is_lifetime(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? hd_code_callee(inst) : NULL;
    return callee && hd_str_starts(name_of(callee), "llvm.lifetime.");
}

/* Is it a load or store, not volatile, of a value of the type through the pointer? */
static bool is_plain_access(LLVMValueRef inst, LLVMValueRef pointer, LLVMTypeRef type)
{
    if (LLVMIsALoadInst(inst))
        return LLVMTypeOf(inst) == type && !LLVMGetVolatile(inst);
    return LLVMIsAStoreInst(inst) && LLVMGetOperand(inst, 0) != pointer &&
           LLVMTypeOf(LLVMGetOperand(inst, 0)) == type && !LLVMGetVolatile(inst);
}

/* Does a pointer variable that will be promoted lead to nothing but plain accesses? */
static bool is_promotable_pointer(LLVMValueRef slot, LLVMTypeRef type)
{
    if (!LLVMIsAAllocaInst(slot))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_lifetime(user))
            continue;
        if (!is_plain_access(user, slot, LLVMGetAllocatedType(slot)))
            return false;
        for (LLVMUseRef u = LLVMIsALoadInst(user) ? LLVMGetFirstUse(user) : NULL; u;
             u = LLVMGetNextUse(u))
            if (!is_plain_access(LLVMGetUser(u), user, type))
                return false;
    }
    return true;
}

/* Will mem2reg promote it? */
static bool is_promotable(LLVMValueRef slot)
{
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool kept = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == slot &&
                    is_promotable_pointer(LLVMGetOperand(user, 1), type);
        if (!kept && !is_plain_access(user, slot, type) && !is_lifetime(user))
            return false;
    }
    return true;
}

static void mark_store(LLVMBuilderRef builder, LLVMValueRef store, unsigned kind, unsigned names)
{
    LLVMValueRef slot = LLVMGetOperand(store, 1), value = LLVMGetOperand(store, 0);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(value));
    if (!LLVMIsAAllocaInst(slot) || !is_promotable(slot))
        return;
    LLVMPositionBuilderBefore(builder, store);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef undefined = LLVMBuildFreeze(builder, LLVMGetUndef(LLVMTypeOf(value)), "");
    LLVMSetMetadata(undefined, kind, LLVMMDNodeInContext(context, NULL, 0));
    LLVMValueRef name = LLVMGetMetadata(store, names);
    if (name)
        LLVMSetMetadata(undefined, names, name);
    LLVMSetOperand(store, 0, undefined);
}

void hd_undefined_mark(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    unsigned kind = mark_kind(module), annotation = annotation_kind(module);
    unsigned names = LLVMGetMDKindIDInContext(context, "heddle.name", 11);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAStoreInst(i) && LLVMGetMetadata(i, annotation))
                    mark_store(builder, i, kind, names);
    LLVMDisposeBuilder(builder);
}

void hd_undefined_sweep(LLVMModuleRef module)
{
    unsigned kind = mark_kind(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsAFreezeInst(i) && LLVMGetMetadata(i, kind) && !LLVMGetFirstUse(i))
                    LLVMInstructionEraseFromParent(i);
            }
}

bool hd_undefined_is_mark(const struct hd_undefined *u, LLVMValueRef value)
{
    return LLVMIsAFreezeInst(value) && LLVMGetMetadata(value, u->mark) != NULL;
}

bool hd_undefined_is_declaration(const struct hd_undefined *u, LLVMValueRef inst,
                                 LLVMValueRef address)
{
    return LLVMGetMetadata(inst, u->annotation) != NULL && LLVMIsAAllocaInst(strip(address));
}

/* ---- types ---- */

static bool tracks_scalar(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128;
    case LLVMPointerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

bool hd_undefined_tracks(struct hd_pass *p, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return tracks_scalar(type);
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; i++)
        if (!tracks_scalar(LLVMStructGetTypeAtIndex(type, i)))
            return false;
    return n > 0 && LLVMABISizeOfType(p->layout, type) <= MOST_RESULT_BYTES;
}

/* ---- objects ---- */

/* "" unless it is a direct call; a function that the program defines is none of the library's,
 * whatever its name. */
static const char *library_name(LLVMValueRef inst)
{
    LLVMValueRef callee = hd_code_is_call(inst) ? hd_code_callee(inst) : NULL;
    return callee && LLVMIsDeclaration(callee) ? name_of(callee) : "";
}

static bool is_empty_when_made(LLVMValueRef call)
{
    static const char *const list[] = { "malloc",        "realloc", "reallocarray",  "memalign",
                                        "aligned_alloc", "valloc",  "posix_memalign" };
    const char *name = hd_code_is_call(call) ? hd_code_callee_name(call) : "";
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

bool hd_undefined_memory(struct hd_undefined *u, LLVMValueRef pointer)
{
    uint32_t n;
    const uint32_t *set = hd_points_to_get(u->points_to, pointer, &n);
    const struct hd_objects *objects = &u->points_to->objects;
    for (uint32_t i = 0; i < n; i++)
        if (u->objects[objects->locations[set[i]].object])
            return true;
    return false;
}

static bool spoil_object(struct hd_undefined *u, uint32_t object)
{
    enum hd_object_kind kind = u->points_to->objects.items[object].kind;
    if ((kind != HD_OBJECT_STACK && kind != HD_OBJECT_HEAP) || u->objects[object])
        return false;
    u->objects[object] = true;
    return true;
}

/* Such a value is stored through the pointer.  A large set does not name what has escaped; the
 * unknown stands for it. */
static bool spoil(struct hd_undefined *u, LLVMValueRef pointer)
{
    uint32_t n;
    bool changed = false, unknown = false;
    const uint32_t *set = hd_points_to_get(u->points_to, pointer, &n);
    const struct hd_objects *objects = &u->points_to->objects;
    for (uint32_t i = 0; i < n; i++) {
        unknown |= set[i] == HD_UNKNOWN_LOCATION;
        changed |= spoil_object(u, objects->locations[set[i]].object);
    }
    if (!unknown || u->spoilt_escaped)
        return changed;
    u->spoilt_escaped = true;
    for (uint32_t o = 1; o < objects->n; o++)
        if (objects->items[o].escaped)
            changed |= spoil_object(u, o);
    return changed;
}

static LLVMValueRef declared(const struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMValueRef address = NULL;
    if (LLVMIsAStoreInst(inst))
        address = LLVMGetOperand(inst, 1);
    else if (LLVMIsACallInst(inst) && hd_str_starts(hd_code_callee_name(inst), "llvm.mem"))
        address = LLVMGetOperand(inst, 0);
    return address && hd_undefined_is_declaration(u, inst, address) ? strip(address) : NULL;
}

/* Thread ids that only pthread_create writes: the runtime reports a join of one that was not
 * written, and tracking them would cost as much as the rest of a small execution. */
static bool holds_thread_ids(const struct hd_undefined *u, LLVMValueRef pointer, bool *created)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) && holds_thread_ids(u, user, created))
            continue;
        if (LLVMIsALoadInst(user) || declared(u, user))
            continue;
        const char *name = library_name(user);
        bool creates = strcmp(name, "pthread_create") == 0 || strcmp(name, "thrd_create") == 0;
        if (!hd_str_starts(name, "llvm.lifetime.") &&
            (!creates || LLVMGetOperand(user, 0) != pointer ||
             LLVMGetOperand(user, 3 - (name[0] == 't')) == pointer))
            return false;
        *created |= creates;
    }
    return true;
}

static void first_objects(struct hd_undefined *u)
{
    const struct hd_objects *objects = &u->points_to->objects;
    u->objects[HD_UNKNOWN_OBJECT] = true;
    for (uint32_t o = 1; o < objects->n; o++)
        u->objects[o] = objects->items[o].kind == HD_OBJECT_HEAP &&
                        is_empty_when_made(objects->items[o].value);
    for (uint32_t i = 0; i < u->facts->code.n_insts; i++) {
        LLVMValueRef inst = u->facts->code.insts[i], slot = declared(u, inst);
        uint32_t object = slot ? hd_objects_find(objects, slot) : HD_NO_POINT;
        if (object == HD_NO_POINT)
            continue;
        bool is_value = LLVMIsAStoreInst(inst) &&
                        hd_undefined_is_mark(u, LLVMGetOperand(inst, 0));
        bool created = false;
        if (!is_value && !(holds_thread_ids(u, slot, &created) && created))
            u->objects[object] = true;
    }
}

/* ---- functions ---- */

uint32_t hd_undefined_callee(const struct hd_undefined *u, LLVMValueRef call)
{
    LLVMValueRef callee = hd_code_callee(call);
    if (callee == NULL || LLVMIsDeclaration(callee))
        return HD_NO_POINT;
    return hd_code_function(&u->facts->code, callee);
}

static bool is_closed(const struct hd_undefined *u, uint32_t function)
{
    LLVMValueRef f = u->facts->code.functions[function].value;
    if (u->points_to->called_from_outside[function] || strcmp(name_of(f), "main") == 0)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) ||
            LLVMGetCalledValue(user) != f ||
            LLVMGetCalledFunctionType(user) != LLVMGlobalGetValueType(f))
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == f)
                return false;
    }
    return true;
}

bool hd_undefined_is_arithmetic(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAlloca:
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMFence:
    case LLVMFreeze:
    case LLVMVAArg:
    case LLVMLandingPad:
        return false;
    default:
        return !LLVMIsATerminatorInst(inst);
    }
}

static bool any_operand(const struct hd_undefined *u, LLVMValueRef inst, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (hd_undefined_may(u, LLVMGetOperand(inst, i)))
            return true;
    return false;
}

/* Intrinsics that compute, as llvm.smax and llvm.fabs do: every argument is a scalar. */
static bool is_computing(LLVMValueRef call)
{
    static const char *const others[] = { "llvm.is.constant", "llvm.objectsize", "llvm.lifetime",
                                          "llvm.assume",      "llvm.dbg",        "llvm.va_",
                                          "llvm.mem",         "llvm.eh.",        "llvm.stack",
                                          "llvm.threadlocal", "llvm.prefetch",   "llvm.x86." };
    const char *name = hd_code_callee_name(call);
    if (!hd_str_starts(name, "llvm."))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hd_str_starts(name, others[i]))
            return false;
    return true;
}

static bool may_be_undefined(struct hd_undefined *u, LLVMValueRef inst)
{
    if (!hd_undefined_tracks(u->p, LLVMTypeOf(inst)))
        return false;
    if (LLVMIsALoadInst(inst))
        return hd_undefined_memory(u, LLVMGetOperand(inst, 0));
    if (LLVMIsAFreezeInst(inst))
        return hd_undefined_is_mark(u, inst);
    if (hd_code_is_call(inst)) {
        uint32_t callee = hd_undefined_callee(u, inst);
        if (callee != HD_NO_POINT)
            return u->results[callee] && hd_frames_only_behind(inst);
        return is_computing(inst) && any_operand(u, inst, LLVMGetNumArgOperands(inst));
    }
    return hd_undefined_is_arithmetic(inst) &&
           any_operand(u, inst, (unsigned)LLVMGetNumOperands(inst));
}

static bool pass_arguments(struct hd_undefined *u, LLVMValueRef call)
{
    uint32_t callee = hd_undefined_callee(u, call);
    if (callee == HD_NO_POINT || !u->closed[callee])
        return false;
    LLVMValueRef function = u->facts->code.functions[callee].value;
    uint64_t before = u->params[callee];
    unsigned n = LLVMCountParams(function);
    for (unsigned i = 0; i < n && i < MOST_PARAMS; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
        if (tracks_scalar(type) && LLVMSizeOfTypeInBits(u->p->layout, type) <= 64 &&
            hd_undefined_may(u, LLVMGetOperand(call, i))) {
            u->params[callee] |= 1ull << i;
            *hd_ptrmap_put(&u->maybe, LLVMGetParam(function, i)) = 1;
        }
    }
    return u->params[callee] != before;
}

static bool visit(struct hd_undefined *u, LLVMValueRef inst)
{
    bool changed = false;
    if (!hd_undefined_may(u, inst) && may_be_undefined(u, inst)) {
        *hd_ptrmap_put(&u->maybe, inst) = 1;
        changed = true;
    }
    if (LLVMIsAStoreInst(inst) && hd_undefined_may(u, LLVMGetOperand(inst, 0)))
        changed |= spoil(u, LLVMGetOperand(inst, 1));
    if (LLVMIsAReturnInst(inst) && LLVMGetNumOperands(inst) == 1 &&
        hd_undefined_may(u, LLVMGetOperand(inst, 0))) {
        uint32_t point = hd_code_point(&u->facts->code, inst);
        uint32_t f = hd_code_function_of(&u->facts->code, point);
        changed |= !u->results[f];
        u->results[f] = true;
    }
    if (!hd_code_is_call(inst))
        return changed;
    const char *name = library_name(inst);
    bool copies = hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "llvm.memmove") ||
                  strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 ||
                  strcmp(name, "mempcpy") == 0;
    if (copies && hd_undefined_memory(u, LLVMGetOperand(inst, 1)))
        changed |= spoil(u, LLVMGetOperand(inst, 0));
    return pass_arguments(u, inst) || changed;
}

void hd_undefined_init(struct hd_undefined *u, struct hd_pass *p, struct hd_facts *facts)
{
    const struct hd_code *code = &facts->code;
    *u = (struct hd_undefined){ .p = p, .facts = facts, .points_to = &facts->points_to };
    u->mark = mark_kind(p->module);
    u->annotation = annotation_kind(p->module);
    hd_ptrmap_init(&u->maybe);
    u->objects = hd_alloc(facts->points_to.objects.n + 1);
    u->results = hd_alloc(code->n_functions + 1);
    u->closed = hd_alloc(code->n_functions + 1);
    u->params = hd_alloc((code->n_functions + 1) * sizeof *u->params);
    for (uint32_t f = 0; f < code->n_functions; f++)
        u->closed[f] = hd_code_is_defined(code, f) && is_closed(u, f);
    first_objects(u);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < code->n_insts; i++)
            changed |= visit(u, code->insts[i]);
    }
}

void hd_undefined_release(struct hd_undefined *u)
{
    hd_ptrmap_release(&u->maybe);
    free(u->objects);
    free(u->results);
    free(u->closed);
    free(u->params);
    free(u->phis);
    free(u->stores);
}
