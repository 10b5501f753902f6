#include "instrument/sections.h"

#include "base/str.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

struct marking {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef type;
};

static LLVMValueRef declared(const struct marking *m, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    return f ? f : LLVMAddFunction(m->module, name, m->type);
}

static void call_before(const struct marking *m, const char *name, LLVMValueRef inst,
                        LLVMMetadataRef place)
{
    LLVMPositionBuilderBefore(m->builder, inst);
    LLVMSetCurrentDebugLocation2(m->builder, place);
    LLVMBuildCall2(m->builder, m->type, declared(m, name), NULL, 0, "");
}

/* The first line of the function that has a statement. */
static LLVMMetadataRef first_place(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMInstructionGetDebugLoc(i))
                return LLVMInstructionGetDebugLoc(i);
    return NULL;
}

static void mark(const struct marking *m, LLVMValueRef function)
{
    LLVMMetadataRef place = first_place(function);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    call_before(m, "heddle_atomic_begin", first, place);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        LLVMMetadataRef here = LLVMInstructionGetDebugLoc(last);
        if (LLVMIsAReturnInst(last) || LLVMIsAResumeInst(last))
            call_before(m, "heddle_atomic_end", last, here ? here : place);
    }
}

static bool is_section(LLVMValueRef function)
{
    static const char prefix[] = "__VERIFIER_atomic_";
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    if (LLVMIsDeclaration(function) || !hd_str_starts(name, prefix))
        return false;
    name += strlen(prefix);
    return strcmp(name, "begin") != 0 && strcmp(name, "end") != 0;
}

void hd_sections_mark(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct marking m = { .module = module, .builder = LLVMCreateBuilderInContext(context) };
    m.type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_section(f))
            mark(&m, f);
    LLVMDisposeBuilder(m.builder);
}
