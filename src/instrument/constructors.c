#include "instrument/constructors.h"

#include "base/err.h"
#include "core/abi.h"
#include "instrument/pass.h"

#include <stdint.h>
#include <string.h>

static void call_all(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef all)
{
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
    LLVMTypeRef type = LLVMFunctionType(nothing, NULL, 0, 0);
    int n = LLVMGetNumOperands(all);
    for (uint64_t least = 0, next; least != UINT64_MAX; least = next) {
        next = UINT64_MAX;
        for (int i = 0; i < n; i++) {
            LLVMValueRef entry = LLVMGetOperand(all, (unsigned)i);
            LLVMValueRef function = LLVMGetOperand(entry, 1);
            uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0));
            if (priority == least && LLVMIsAFunction(function))
                LLVMBuildCall2(builder, type, function, NULL, 0, "");
            else if (priority > least && priority < next)
                next = priority;
        }
    }
}

void hd_constructors_into_main(LLVMModuleRef module)
{
    LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global_ctors");
    LLVMValueRef all = list && !LLVMIsDeclaration(list) ? LLVMGetInitializer(list) : NULL;
    if (all == NULL || LLVMGetNumOperands(all) == 0)
        return;
    LLVMValueRef old = LLVMGetNamedFunction(module, "main");
    LLVMSetValueName2(old, HD_MAIN_BEHIND, strlen(HD_MAIN_BEHIND));
    LLVMSetLinkage(old, LLVMInternalLinkage);
    LLVMValueRef entry = LLVMAddFunction(module, "main", LLVMGlobalGetValueType(old));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, entry, ""));
    call_all(module, builder, all);
    hd_pass_forward(builder, entry, old);
    LLVMDisposeBuilder(builder);
    LLVMDeleteGlobal(list);
}
