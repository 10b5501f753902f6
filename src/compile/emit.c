#include "compile/emit.h"

#include "base/fs.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

static const char large[] = "heddle.large";

void hd_emit_mark_large(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, NULL, 0);
    LLVMAddNamedMetadataOperand(module, large, LLVMMetadataAsValue(context, node));
}

static LLVMTargetMachineRef machine_for(LLVMModuleRef module, struct hd_err *err)
{
    static bool ready;
    if (!ready) {
        LLVMInitializeNativeTarget();
        LLVMInitializeNativeAsmPrinter();
        LLVMInitializeNativeAsmParser();
        ready = true;
    }
    char *message = NULL;
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &message) != 0) {
        hd_err_set(err, "no code can be generated for %s: %s", LLVMGetTarget(module), message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    bool is_large = LLVMGetNamedMetadata(module, large, sizeof large - 1) != NULL;
    return LLVMCreateTargetMachine(target, LLVMGetTarget(module), "", "",
                                   is_large ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault,
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

int hd_emit_passes(LLVMModuleRef module, const char *passes, struct hd_err *err)
{
    LLVMTargetMachineRef machine = machine_for(module, err);
    if (machine == NULL)
        return -1;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(machine);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        hd_err_set(err, "LLVM passes %s: %s", passes, text);
        LLVMDisposeErrorMessage(text);
        return -1;
    }
    return 0;
}

int hd_emit_object(LLVMModuleRef module, const char *path, struct hd_err *err)
{
    LLVMTargetMachineRef machine = machine_for(module, err);
    if (machine == NULL)
        return -1;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = NULL;
    int failed = 0;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &buffer)) {
        failed = hd_err_set(err, "code generation failed: %s", message);
        LLVMDisposeMessage(message);
    } else {
        failed = hd_fs_write(path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), err);
        LLVMDisposeMemoryBuffer(buffer);
    }
    LLVMDisposeTargetMachine(machine);
    return failed;
}

int hd_emit_bitcode(LLVMModuleRef module, const char *path, struct hd_err *err)
{
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
    int failed = hd_fs_write(path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), err);
    LLVMDisposeMemoryBuffer(buffer);
    return failed;
}
