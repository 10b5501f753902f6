#include "compile/directories.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Is it the same file, or is neither there? */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    bool is_a = stat(a, &x) == 0, is_b = stat(b, &y) == 0;
    return is_a == is_b && (!is_a || (x.st_dev == y.st_dev && x.st_ino == y.st_ino));
}

/* Takes "." and ".." out of an absolute path.  Where a link leads elsewhere, it stays. */
static char *normal(const char *path)
{
    struct hd_str out;
    hd_str_init(&out);
    for (const char *at = path; *at;) {
        size_t n = strcspn(at + 1, "/");
        if (n == 2 && memcmp(at + 1, "..", 2) == 0) {
            const char *last = strrchr(out.text, '/');
            hd_str_cut(&out, last ? (size_t)(last - out.text) : 0);
        } else if (n > 0 && !(n == 1 && at[1] == '.')) {
            hd_str_append_bytes(&out, at, n + 1);
        }
        at += n + 1;
    }
    if (out.length && (strcmp(path, out.text) == 0 || same_file(path, out.text)))
        return hd_str_detach(&out);
    hd_str_release(&out);
    return hd_strdup(path);
}

static void resolve(LLVMContextRef context, LLVMMetadataRef scope, const char *here)
{
    unsigned name_n, dir_n;
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &name_n) : NULL;
    const char *dir = file ? LLVMDIFileGetDirectory(file, &dir_n) : NULL;
    if (!name || name_n == 0 || (name[0] != '/' && (!dir || dir_n == 0 || dir[0] != '/')))
        return;
    bool absolute = name[0] == '/';
    size_t n = strlen(here);
    if (absolute && !memmem(name, name_n, "/.", 2) && !memmem(name, name_n, "//", 2))
        return; /* nothing to do, which is asked for every instruction */
    char *whole = absolute ? hd_str_format("%.*s", (int)name_n, name)
                           : hd_str_format("%.*s/%.*s", (int)dir_n, dir, (int)name_n, name);
    char *path = normal(whole);
    bool below = !absolute && strncmp(path, here, n) == 0 && path[n] == '/';
    if (below || !absolute || strcmp(path, whole) != 0) {
        set(context, file, 0, below ? path + n + 1 : path);
        set(context, file, 1, ".");
    }
    free(path);
    free(whole);
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
