/* The constraints that the program's own code makes: variables, functions, instructions. */
#include "analyse/points_to.h"
#include "base/str.h"

#include <string.h>

static uint64_t bytes_of(const struct hd_points_to *p, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(p->code->layout, type) : 0;
}

/* ---- variables ---- */

static void add_variables(struct hd_points_to *p)
{
    LLVMModuleRef module = p->code->module;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        LLVMTypeRef type = LLVMGlobalGetValueType(g);
        struct hd_abstract object = {
            .kind = LLVMIsThreadLocal(g) ? HD_OBJECT_THREAD : HD_OBJECT_GLOBAL,
            .value = g,
            .type = LLVMTypeIsSized(type) ? type : NULL,
        };
        if (object.type && !LLVMIsDeclaration(g))
            object.bytes = LLVMABISizeOfType(p->code->layout, type);
        hd_objects_add(&p->objects, object);
    }
}

static bool is_local(LLVMValueRef value)
{
    return LLVMGetLinkage(value) == LLVMInternalLinkage ||
           LLVMGetLinkage(value) == LLVMPrivateLinkage;
}

static void escape_object(struct hd_points_to *p, LLVMValueRef value)
{
    hd_solver_copy(p->solver, hd_points_to_node(p, value), HD_ESCAPE);
}

static void initial_value(struct hd_points_to *p, uint32_t object, uint64_t offset,
                          LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value)) {
        bool is_struct = LLVMIsAConstantStruct(value) != NULL;
        uint64_t step = is_struct ? 0
                                  : LLVMABISizeOfType(p->code->layout, LLVMGetElementType(type));
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
            uint64_t at = is_struct ? LLVMOffsetOfElement(p->code->layout, type, i) : i * step;
            initial_value(p, object, offset + at, LLVMGetOperand(value, i));
        }
        return;
    }
    uint32_t node = hd_points_to_node(p, value);
    if (node != HD_NO_NODE)
        hd_solver_hold(p->solver, hd_objects_location(&p->objects, object, (int64_t)offset),
                       bytes_of(p, type), node);
}

static void initialise_variables(struct hd_points_to *p)
{
    LLVMModuleRef module = p->code->module;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        size_t n;
        if (hd_str_starts(LLVMGetValueName2(g, &n), "llvm."))
            continue; /* lists for the linker: no memory of the program */
        if (LLVMIsDeclaration(g)) {
            escape_object(p, g);
            continue;
        }
        if (p->open && !is_local(g))
            escape_object(p, g);
        initial_value(p, hd_objects_find(&p->objects, g), 0, LLVMGetInitializer(g));
    }
}

/* ---- functions ---- */

static void add_parameter(struct hd_points_to *p, LLVMValueRef function, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
    LLVMValueRef param = LLVMGetParam(function, i);
    if (byval == NULL)
        return;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
    struct hd_abstract object = { .kind = HD_OBJECT_STACK, .value = param, .type = type };
    object.bytes = LLVMABISizeOfType(p->code->layout, type);
    uint32_t id = hd_objects_add(&p->objects, object);
    hd_solver_add(p->solver, hd_points_to_node(p, param),
                  hd_objects_location(&p->objects, id, 0));
}

static void add_functions(struct hd_points_to *p)
{
    for (uint32_t i = 0; i < p->code->n_functions; i++) {
        LLVMValueRef value = p->code->functions[i].value;
        struct hd_abstract object = { .kind = HD_OBJECT_FUNCTION, .value = value };
        hd_objects_add(&p->objects, object);
        p->results[i] = hd_solver_node(p->solver);
        if (!hd_code_is_defined(p->code, i))
            continue;
        if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(value)))
            p->variadic[i] = hd_objects_add(&p->objects,
                                            (struct hd_abstract){ .kind = HD_OBJECT_VARIADIC });
        for (unsigned k = 0; k < LLVMCountParams(value); k++)
            add_parameter(p, value, k);
    }
}

/* main gets its arguments from outside; their number is no address. */
static void open_main(struct hd_points_to *p)
{
    LLVMValueRef user = LLVMGetNamedFunction(p->code->module, "main");
    for (unsigned i = 0; user && i < LLVMCountParams(user); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(user, i))) == LLVMPointerTypeKind)
            hd_solver_add(p->solver, hd_points_to_node(p, LLVMGetParam(user, i)),
                          HD_UNKNOWN_LOCATION);
    for (uint32_t i = 0; i < p->code->n_functions && p->open; i++)
        if (hd_code_is_defined(p->code, i) && !is_local(p->code->functions[i].value) &&
            p->code->functions[i].value != user)
            escape_object(p, p->code->functions[i].value);
}

/* ---- instructions ---- */

static void add_alloca(struct hd_points_to *p, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMGetAllocatedType(inst);
    LLVMValueRef count = LLVMGetOperand(inst, 0);
    struct hd_abstract object = { .kind = HD_OBJECT_STACK, .value = inst, .type = type };
    uint64_t bytes = LLVMABISizeOfType(p->code->layout, type);
    if (LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1)
        object.bytes = bytes;
    else
        object.period = bytes;
    uint32_t id = hd_objects_add(&p->objects, object);
    hd_solver_add(p->solver, hd_points_to_node(p, inst), hd_objects_location(&p->objects, id, 0));
}

static void load(struct hd_points_to *p, LLVMValueRef pointer, uint32_t to, LLVMTypeRef type)
{
    hd_solver_load(p->solver, hd_points_to_node(p, pointer), to, bytes_of(p, type));
}

static void store(struct hd_points_to *p, LLVMValueRef pointer, LLVMValueRef value)
{
    hd_solver_store(p->solver, hd_points_to_node(p, pointer), hd_points_to_node(p, value),
                    bytes_of(p, LLVMTypeOf(value)));
}

/* Every operand from `first` on goes into the result, as it is or anywhere in its objects. */
static void flow(struct hd_points_to *p, LLVMValueRef inst, unsigned first, unsigned end,
                 bool exact)
{
    uint32_t to = hd_points_to_node(p, inst);
    for (unsigned i = first; i < end; i++) {
        uint32_t from = hd_points_to_node(p, LLVMGetOperand(inst, i));
        if (exact)
            hd_solver_copy(p->solver, from, to);
        else
            hd_solver_smear(p->solver, from, to);
    }
}

static void add_phi(struct hd_points_to *p, LLVMValueRef inst)
{
    for (unsigned i = 0; i < LLVMCountIncoming(inst); i++)
        hd_solver_copy(p->solver, hd_points_to_node(p, LLVMGetIncomingValue(inst, i)),
                       hd_points_to_node(p, inst));
}

static void add_call(struct hd_points_to *p, LLVMValueRef inst)
{
    uint32_t caller = hd_points_to_caller(p, hd_code_point(p->code, inst), HD_EDGE_CALL,
                                          hd_points_to_node(p, inst));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        hd_points_to_arg(p, caller, hd_points_to_node(p, LLVMGetOperand(inst, i)));
    LLVMValueRef callee = hd_code_callee(inst);
    if (callee)
        hd_points_to_call(p, caller, hd_code_function(p->code, callee));
    else if (LLVMIsAInlineAsm(LLVMGetCalledValue(inst)))
        hd_points_to_call_unknown(p, caller);
    else
        hd_points_to_calls(p, caller, hd_points_to_node(p, LLVMGetCalledValue(inst)));
}

static void add_return(struct hd_points_to *p, LLVMValueRef inst, uint32_t function)
{
    if (LLVMGetNumOperands(inst))
        hd_solver_copy(p->solver, hd_points_to_node(p, LLVMGetOperand(inst, 0)),
                       p->results[function]);
}

static void add_move(struct hd_points_to *p, LLVMValueRef inst)
{
    struct hd_offset by = hd_points_to_offset(p->code, inst);
    uint32_t to = hd_points_to_node(p, inst);
    hd_solver_move(p->solver, hd_points_to_node(p, LLVMGetOperand(inst, 0)), to, &by);
    /* the distance to another object: array + (&other - array) */
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        uint32_t index = hd_points_to_node(p, LLVMGetOperand(inst, i));
        if (index != HD_NO_NODE)
            hd_solver_smear(p->solver, index, to);
    }
}

/* A number that was read from text may be an address that was printed. */
static bool is_from_text(LLVMValueRef value)
{
    while (LLVMIsACastInst(value))
        value = LLVMGetOperand(value, 0);
    LLVMValueRef callee = LLVMIsACallInst(value) ? hd_code_callee(value) : NULL;
    size_t n;
    const char *name = callee ? LLVMGetValueName2(callee, &n) : "";
    return hd_str_starts(name, "strto") || hd_str_starts(name, "__isoc23_strto") ||
           hd_str_starts(name, "ato");
}

static void add_va_arg(struct hd_points_to *p, LLVMValueRef inst)
{
    uint32_t list = hd_solver_node(p->solver);
    load(p, LLVMGetOperand(inst, 0), list, LLVMTypeOf(inst));
    hd_solver_load(p->solver, list, hd_points_to_node(p, inst), 0);
}

/* False: the instruction neither makes nor accesses memory. */
static bool add_access(struct hd_points_to *p, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAlloca:
        add_alloca(p, inst);
        break;
    case LLVMLoad:
        load(p, LLVMGetOperand(inst, 0), hd_points_to_node(p, inst), LLVMTypeOf(inst));
        break;
    case LLVMStore:
        store(p, LLVMGetOperand(inst, 1), LLVMGetOperand(inst, 0));
        break;
    case LLVMAtomicRMW:
        load(p, LLVMGetOperand(inst, 0), hd_points_to_node(p, inst), LLVMTypeOf(inst));
        store(p, LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1));
        break;
    case LLVMAtomicCmpXchg:
        load(p, LLVMGetOperand(inst, 0), hd_points_to_node(p, inst), LLVMTypeOf(inst));
        store(p, LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 2));
        break;
    default:
        return false;
    }
    return true;
}

static void add_instruction(struct hd_points_to *p, LLVMValueRef inst, uint32_t function)
{
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    if (add_access(p, inst))
        return;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMGetElementPtr:
        add_move(p, inst);
        break;
    case LLVMPHI:
        add_phi(p, inst);
        break;
    case LLVMSelect:
        flow(p, inst, 1, 3, true);
        break;
    case LLVMIntToPtr:
        flow(p, inst, 0, 1, true);
        if (is_from_text(LLVMGetOperand(inst, 0)))
            hd_solver_add(p->solver, hd_points_to_node(p, inst), HD_UNKNOWN_LOCATION);
        break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMFreeze:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMExtractValue:
    case LLVMExtractElement:
        flow(p, inst, 0, 1, true);
        break;
    case LLVMInsertValue:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        flow(p, inst, 0, 2, true);
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        add_call(p, inst);
        break;
    case LLVMRet:
        add_return(p, inst, function);
        break;
    case LLVMVAArg:
        add_va_arg(p, inst);
        break;
    case LLVMResume:
        hd_solver_copy(p->solver, hd_points_to_node(p, LLVMGetOperand(inst, 0)), HD_ESCAPE);
        break;
    case LLVMLandingPad:
        hd_solver_add(p->solver, hd_points_to_node(p, inst), HD_UNKNOWN_LOCATION);
        break;
    case LLVMICmp:
    case LLVMFCmp:
        break;
    default:
        if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind ||
            LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMVectorTypeKind)
            flow(p, inst, 0, n, false); /* arithmetic */
        break;
    }
}

void hd_points_to_collect(struct hd_points_to *p)
{
    const struct hd_code *code = p->code;
    add_variables(p);
    add_functions(p);
    initialise_variables(p);
    open_main(p);
    for (uint32_t f = 0; f < code->n_functions; f++)
        for (uint32_t i = code->functions[f].first; i < code->functions[f].end; i++)
            add_instruction(p, code->insts[i], f);
}
