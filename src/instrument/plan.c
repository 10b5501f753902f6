#include "instrument/plan.h"

#include "analyse/format.h"
#include "analyse/libc.h"
#include "base/err.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { STAYS = 1, ESCAPES = 2 };

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static bool is_pointer_cast(LLVMValueRef value)
{
    if (LLVMIsABitCastInst(value) || LLVMIsAAddrSpaceCastInst(value))
        return true;
    return LLVMIsAConstantExpr(value) && (LLVMGetConstOpcode(value) == LLVMBitCast ||
                                          LLVMGetConstOpcode(value) == LLVMAddrSpaceCast);
}

static bool is_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

LLVMValueRef hd_plan_callee(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    while (is_pointer_cast(callee))
        callee = LLVMGetOperand(callee, 0);
    return LLVMIsAFunction(callee) ? callee : NULL;
}

static bool calls(LLVMValueRef value, const char *prefix)
{
    LLVMValueRef callee = is_call(value) ? hd_plan_callee(value) : NULL;
    return callee && hd_str_starts(name_of(callee), prefix);
}

static bool has_attribute(LLVMValueRef call, unsigned arg, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetCallSiteEnumAttribute(call, arg + 1, kind) != NULL;
}

static bool address_stays(struct hd_plan *plan, LLVMValueRef pointer);

/* Intrinsics that use an address without handing it on. */
static bool harmless_intrinsic(const char *name)
{
    static const char *const list[] = {
        "llvm.lifetime.",   "llvm.dbg.",      "llvm.memset",          "llvm.memcpy",
        "llvm.memmove",     "llvm.va_start",  "llvm.va_end",          "llvm.va_copy",
        "llvm.objectsize.", "llvm.prefetch.", "llvm.invariant.start", "llvm.assume",
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (hd_str_starts(name, list[i]))
            return true;
    return false;
}

static bool stays_in_call(struct hd_plan *plan, LLVMValueRef call, LLVMValueRef pointer)
{
    LLVMValueRef callee = hd_plan_callee(call);
    unsigned n = LLVMGetNumArgOperands(call);
    if (LLVMGetCalledValue(call) == pointer || callee == NULL)
        return false;
    const char *name = name_of(callee);
    if (hd_str_starts(name, "llvm.threadlocal.address"))
        return address_stays(plan, call);
    if (hd_str_starts(name, "llvm."))
        return harmless_intrinsic(name);
    const struct hd_libc *row = LLVMIsDeclaration(callee) ? hd_libc_find(name) : NULL;
    for (unsigned i = 0; i < n; i++) {
        bool derived;
        if (LLVMGetOperand(call, i) != pointer || has_attribute(call, i, "byval"))
            continue;
        if (row && hd_libc_format(row) >= 0 &&
            i >= LLVMCountParamTypes(LLVMGetCalledFunctionType(call)) &&
            !hd_format_is_string(call, (unsigned)hd_libc_format(row), i))
            return false;
        if (hd_libc_keeps(row, i, &derived) || (derived && !address_stays(plan, call)))
            return false;
    }
    return true;
}

static bool stays_in_use(struct hd_plan *plan, LLVMValueRef user, LLVMValueRef pointer)
{
    if (is_gep(user) || is_pointer_cast(user))
        return LLVMGetOperand(user, 0) == pointer && address_stays(plan, user);
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user))
        return true;
    if (LLVMIsAStoreInst(user) || LLVMIsAAtomicRMWInst(user)) {
        unsigned address = LLVMIsAStoreInst(user) ? 1 : 0;
        return LLVMGetOperand(user, 1 - address) != pointer;
    }
    if (LLVMIsAAtomicCmpXchgInst(user))
        return LLVMGetOperand(user, 1) != pointer && LLVMGetOperand(user, 2) != pointer;
    return is_call(user) && stays_in_call(plan, user, pointer);
}

static bool address_stays(struct hd_plan *plan, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (!stays_in_use(plan, LLVMGetUser(use), pointer))
            return false;
    return true;
}

static bool object_stays(struct hd_plan *plan, LLVMValueRef object)
{
    uint64_t *known = hd_ptrmap_put(&plan->escapes, object);
    if (*known == 0) {
        uint64_t found = address_stays(plan, object) ? STAYS : ESCAPES;
        *hd_ptrmap_put(&plan->escapes, object) = found;
        return found == STAYS;
    }
    return *known == STAYS;
}

bool hd_plan_escapes(struct hd_plan *plan, LLVMValueRef slot)
{
    return !object_stays(plan, slot);
}

static bool is_byval(LLVMValueRef argument)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == argument)
            return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
    return false;
}

static LLVMValueRef strip(LLVMValueRef pointer)
{
    while (is_gep(pointer) || is_pointer_cast(pointer) ||
           calls(pointer, "llvm.threadlocal.address"))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* The tables that isalpha() and the like use: a pointer to them is loaded from thread-local
 * memory of the library. */
static bool is_ctype(LLVMValueRef pointer) { return calls(pointer, "__ctype_"); }

/* The library's stdin, stdout and stderr: variables by name, set once before main; and whether
 * there is one thread only, which under heddle is never so. */
static bool is_set_once(LLVMValueRef global)
{
    static const char *const list[] = { "stdin", "stdout", "stderr", "__libc_single_threaded" };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name_of(global), list[i]) == 0)
            return LLVMIsDeclaration(global);
    return false;
}

enum hd_region hd_plan_region(struct hd_plan *plan, LLVMValueRef pointer)
{
    LLVMValueRef base = strip(pointer);
    if (LLVMIsAAllocaInst(base) || (LLVMIsAArgument(base) && is_byval(base)))
        return object_stays(plan, base) ? HD_REGION_PRIVATE : HD_REGION_SHARED;
    if (LLVMIsAGlobalVariable(base)) {
        if (LLVMIsThreadLocal(base))
            return object_stays(plan, base) && !plan->handlers ? HD_REGION_THREAD
                                                               : HD_REGION_SHARED;
        return LLVMIsGlobalConstant(base) || is_set_once(base) ? HD_REGION_CONSTANT
                                                               : HD_REGION_SHARED;
    }
    if (LLVMIsAFunction(base))
        return HD_REGION_CONSTANT;
    if (calls(base, "__errno_location"))
        return plan->hands_on_errno ? HD_REGION_SHARED : HD_REGION_THREAD;
    if (is_ctype(base))
        return HD_REGION_THREAD;
    if (LLVMIsALoadInst(base) && is_ctype(strip(LLVMGetOperand(base, 0))))
        return HD_REGION_CONSTANT;
    return HD_REGION_SHARED;
}

/* The same, by the analysis of the whole program.  Heap memory stays visible: its accesses are
 * also checked for memory errors. */
static enum hd_region region_in_program(struct hd_plan *plan, LLVMValueRef pointer)
{
    enum hd_region region = hd_plan_region(plan, pointer);
    uint32_t n;
    if (region != HD_REGION_SHARED || plan->sharing == NULL)
        return region;
    enum hd_share share = hd_sharing_of(plan->sharing, pointer);
    if (share == HD_SHARED)
        return HD_REGION_SHARED;
    const struct hd_objects *objects = &plan->sharing->p->objects;
    const uint32_t *set = hd_points_to_get(plan->sharing->p, pointer, &n);
    for (uint32_t i = 0; i < n; i++)
        if (objects->items[objects->locations[set[i]].object].kind == HD_OBJECT_HEAP)
            return HD_REGION_SHARED;
    return share == HD_OWN_LOCAL ? HD_REGION_PRIVATE : HD_REGION_THREAD;
}

enum { REGION_BITS = 2, MOST_ARGUMENTS = 31 };

/* Only locals: other writes of a library function have to be announced, so that they are
 * restored. */
static void plan_arguments(struct hd_plan *plan, LLVMValueRef call)
{
    unsigned n = LLVMGetNumArgOperands(call);
    uint64_t packed = 1;
    for (unsigned i = n > MOST_ARGUMENTS ? MOST_ARGUMENTS : n; i-- > 0;) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        enum hd_region region = HD_REGION_SHARED;
        if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind) {
            region = hd_plan_region(plan, value);
            if (region == HD_REGION_SHARED && region_in_program(plan, value) == HD_REGION_PRIVATE)
                region = HD_REGION_PRIVATE;
        }
        packed = packed << REGION_BITS | (uint64_t)region;
    }
    *hd_ptrmap_put(&plan->arguments, call) = packed;
}

enum hd_region hd_plan_argument(struct hd_plan *plan, LLVMValueRef call, unsigned i)
{
    const uint64_t *packed = hd_ptrmap_get(&plan->arguments, call);
    if (packed && i < MOST_ARGUMENTS)
        return (enum hd_region)(*packed >> i * REGION_BITS & 3);
    return hd_plan_region(plan, LLVMGetOperand(call, i));
}

/* Does any call, or who else may call the function, hand on the address of errno? */
static bool errno_escapes(struct hd_plan *plan, LLVMValueRef function)
{
    bool escapes = false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        escapes |= !calls(call, "__errno_location") || !object_stays(plan, call);
    }
    return escapes;
}

void hd_plan_init(struct hd_plan *plan, LLVMModuleRef module, const struct hd_sharing *sharing)
{
    *plan = (struct hd_plan){ .sharing = sharing };
    hd_ptrmap_init(&plan->escapes);
    hd_ptrmap_init(&plan->arguments);
    plan->handlers = LLVMGetNamedFunction(module, "sigaction") ||
                     LLVMGetNamedFunction(module, "signal");
    LLVMValueRef location = LLVMGetNamedFunction(module, "__errno_location");
    plan->hands_on_errno = location && errno_escapes(plan, location);
    plan->annotation = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "annotation", 10);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsThreadLocal(g))
            continue;
        /* Code that is not here may do anything with a variable that is not ours. */
        if (LLVMIsDeclaration(g))
            *hd_ptrmap_put(&plan->escapes, g) = ESCAPES;
        else
            object_stays(plan, g);
    }
}

void hd_plan_release(struct hd_plan *plan)
{
    free(plan->items);
    hd_ptrmap_release(&plan->escapes);
    hd_ptrmap_release(&plan->arguments);
}

static void add(struct hd_plan *plan, struct hd_planned item)
{
    if (plan->n == plan->room) {
        plan->room = plan->room ? plan->room * 2 : 64;
        plan->items = hd_realloc(plan->items, plan->room * sizeof *plan->items);
    }
    plan->items[plan->n++] = item;
}

/* The zeroing that -ftrivial-auto-var-init adds is not the program's own store. */
static bool is_auto_init(struct hd_plan *plan, LLVMValueRef inst, LLVMValueRef address)
{
    return LLVMGetMetadata(inst, plan->annotation) != NULL && LLVMIsAAllocaInst(strip(address));
}

/* Is the access a full barrier to x86, whatever it accesses? */
static bool is_barrier(LLVMValueRef inst)
{
    if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst))
        return !LLVMIsAtomicSingleThread(inst);
    return LLVMIsAStoreInst(inst) && !LLVMIsAtomicSingleThread(inst) &&
           LLVMGetOrdering(inst) == LLVMAtomicOrderingSequentiallyConsistent;
}

static void plan_access(struct hd_plan *plan, LLVMValueRef inst, enum hd_plan_kind kind,
                        unsigned address, bool reads_only)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, address);
    enum hd_region region = region_in_program(plan, pointer);
    /* A weak compare-exchange may fail spuriously, also if nobody else uses its variable. */
    if (kind == HD_PLAN_CAS && LLVMGetWeak(inst))
        region = HD_REGION_SHARED;
    if (region != HD_REGION_SHARED && is_barrier(inst))
        add(plan, (struct hd_planned){ .inst = inst, .kind = HD_PLAN_BARRIER });
    if (region == HD_REGION_PRIVATE || (reads_only && region != HD_REGION_SHARED) ||
        (!reads_only && is_auto_init(plan, inst, pointer))) {
        plan->left++;
        return;
    }
    add(plan, (struct hd_planned){ .inst = inst, .kind = kind, .region = region });
}

static void plan_copy(struct hd_plan *plan, LLVMValueRef call)
{
    struct hd_planned item = { .inst = call, .kind = HD_PLAN_COPY };
    item.region = region_in_program(plan, LLVMGetOperand(call, 0));
    item.source = region_in_program(plan, LLVMGetOperand(call, 1));
    if ((item.region == HD_REGION_PRIVATE && item.source != HD_REGION_SHARED) ||
        is_auto_init(plan, call, LLVMGetOperand(call, 0)))
        plan->left++;
    else
        add(plan, item);
}

static void plan_call(struct hd_plan *plan, LLVMValueRef call)
{
    if (calls(call, "llvm.memcpy") || calls(call, "llvm.memmove"))
        plan_copy(plan, call);
    else if (calls(call, "llvm.memset"))
        plan_access(plan, call, HD_PLAN_FILL, 0, false);
    else
        add(plan, (struct hd_planned){ .inst = call, .kind = HD_PLAN_CALL });
    plan_arguments(plan, call);
}

static void plan_inst(struct hd_plan *plan, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        plan_access(plan, inst, HD_PLAN_LOAD, 0, true);
        break;
    case LLVMStore:
        plan_access(plan, inst, HD_PLAN_STORE, 1, false);
        break;
    case LLVMAtomicRMW:
        plan_access(plan, inst, HD_PLAN_RMW, 0, false);
        break;
    case LLVMAtomicCmpXchg:
        plan_access(plan, inst, HD_PLAN_CAS, 0, false);
        break;
    case LLVMFence:
        if (!LLVMIsAtomicSingleThread(inst))
            add(plan, (struct hd_planned){ .inst = inst, .kind = HD_PLAN_FENCE });
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        plan_call(plan, inst);
        break;
    default:
        break;
    }
}

/* All decisions are made first, because hooks that are inserted later would look like uses. */
static void decide_objects(struct hd_plan *plan, LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        hd_plan_region(plan, LLVMGetParam(function, i));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i))
                object_stays(plan, i);
}

void hd_plan_function(struct hd_plan *plan, LLVMValueRef function)
{
    plan->n = 0;
    hd_ptrmap_release(&plan->arguments);
    decide_objects(plan, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            plan_inst(plan, i);
}
