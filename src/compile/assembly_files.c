#include "compile/assembly_files.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

static bool is_suspicious(const char *code, size_t n)
{
    static const char *const words[] = { ".inc", ".INC", ".mac", ".altmac", ".irp", ".rep" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(code, n, words[i], strlen(words[i])))
            return true;
    return false;
}

static bool is_suspicious_call(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    bool calls = op == LLVMCall || op == LLVMInvoke || op == LLVMCallBr;
    LLVMValueRef callee = calls ? LLVMGetCalledValue(inst) : NULL;
    if (callee == NULL || LLVMIsAInlineAsm(callee) == NULL)
        return false;
#if LLVM_VERSION_MAJOR >= 18
    size_t n;
    const char *code = LLVMGetInlineAsmAsmString(callee, &n);
    return is_suspicious(code, n);
#else
    return true; /* its text cannot be asked for */
#endif
}

bool hd_assembly_reads_files(LLVMModuleRef module)
{
    size_t n;
    const char *code = LLVMGetModuleInlineAsm(module, &n);
    if (is_suspicious(code, n))
        return true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_suspicious_call(i))
                    return true;
    return false;
}
