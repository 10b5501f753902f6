#include "compile/emit.h"

#include "compile/diagnostics.h"

#include "base/fs.h"

#include <string.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* Named metadata of the module.  The number of its operands is the effort. */
static const char limit[] = "heddle.effort";

void hd_emit_limit(LLVMModuleRef module, enum hd_effort effort)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, NULL, 0);
    for (unsigned i = 0; i < (unsigned)effort; i++)
        LLVMAddNamedMetadataOperand(module, limit, LLVMMetadataAsValue(context, node));
}

static LLVMCodeGenOptLevel level_of(LLVMModuleRef module)
{
    switch (LLVMGetNamedMetadataNumOperands(module, limit)) {
    case HD_EFFORT_NONE:
        return LLVMCodeGenLevelNone;
    case HD_EFFORT_SOME:
        return LLVMCodeGenLevelLess;
    default:
        return LLVMCodeGenLevelDefault;
    }
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
    return LLVMCreateTargetMachine(target, LLVMGetTarget(module), "", "", level_of(module),
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
    struct hd_err said = { "" };
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTargetMachineRef machine = machine_for(module, err);
    if (machine == NULL)
        return -1;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = NULL;
    int failed = 0;
    hd_diagnostics_keep(context, &said);
    LLVMBool broken = LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile,
                                                          &message, &buffer);
    hd_diagnostics_end(context);
    if (broken) {
        failed = hd_err_set(err, "code generation failed: %s", message);
        LLVMDisposeMessage(message);
    } else if (*said.text) {
        failed = hd_err_set(err, "code generation failed: %s", said.text);
        LLVMDisposeMemoryBuffer(buffer);
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
