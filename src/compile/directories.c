#include "compile/directories.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Before LLVM 17 debug information could not be changed from C: objects then do not know. */
#if LLVM_VERSION_MAJOR >= 17

static char *current(struct hd_err *err)
{
    char *directory = getcwd(NULL, 0);
    if (!directory)
        hd_err_set(err, "the current directory cannot be found out: %s", strerror(errno));
    return directory;
}

int hd_directories_flag(struct hd_strs *argv, struct hd_err *err)
{
    char *directory = current(err);
    if (!directory)
        return -1;
    hd_strs_addf(argv, "-fdebug-compilation-dir=%s", directory);
    free(directory);
    return 0;
}

/* The operands of a DIFile: its name, its directory. */
static void set(LLVMContextRef context, LLVMMetadataRef file, unsigned operand, const char *text)
{
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(context, file), operand,
                                 LLVMMDStringInContext2(context, text, strlen(text)));
}

static void resolve(LLVMContextRef context, LLVMMetadataRef scope, const char *here)
{
    unsigned name_n, dir_n;
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &name_n) : NULL;
    const char *dir = file ? LLVMDIFileGetDirectory(file, &dir_n) : NULL;
    if (!name || !dir || name_n == 0 || dir_n == 0 || name[0] == '/' || dir[0] != '/')
        return;
    char *from = hd_str_format("%.*s/", (int)dir_n, dir);
    size_t n = strlen(here);
    const char *rest = strncmp(from, here, n) == 0 && from[n] == '/' ? from + n + 1 : from;
    char *path = hd_str_format("%s%.*s", rest, (int)name_n, name);
    set(context, file, 0, path);
    set(context, file, 1, ".");
    free(path);
    free(from);
}

static void resolve_code(LLVMContextRef context, LLVMValueRef function, const char *here)
{
    resolve(context, LLVMGetSubprogram(function), here);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i); at;
                 at = LLVMDILocationGetInlinedAt(at))
                resolve(context, LLVMDILocationGetScope(at), here);
}

int hd_directories_resolve(LLVMModuleRef program, struct hd_err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(program);
    char *here = current(err);
    if (!here)
        return -1;
    unsigned n = LLVMGetNamedMetadataNumOperands(program, "llvm.dbg.cu");
    LLVMValueRef *units = calloc(n + 1, sizeof *units);
    if (!units) {
        free(here);
        return hd_err_set(err, "out of memory");
    }
    LLVMGetNamedMetadataOperands(program, "llvm.dbg.cu", units);
    for (unsigned i = 0; i < n; i++)
        resolve(context, LLVMValueAsMetadata(units[i]), here);
    free(units);
    for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f))
        resolve_code(context, f, here);
    free(here);
    return 0;
}

#else

int hd_directories_flag(struct hd_strs *argv, struct hd_err *err)
{
    (void)argv;
    (void)err;
    return 0;
}

int hd_directories_resolve(LLVMModuleRef program, struct hd_err *err)
{
    (void)program;
    (void)err;
    return 0;
}

#endif
