#include "compile/own_names.h"

#include "base/strmap.h"
#include "compile/ar.h"
#include "compile/elf.h"

#include <stdlib.h>
#include <string.h>

/* Names that only the runtime may define: memory and threads must come from one place. */
static bool must_be_ours(const char *name)
{
    static const char *const exact[] = {
        "malloc",   "calloc",         "realloc",       "reallocarray", "free",
        "memalign", "posix_memalign", "aligned_alloc", "valloc",       "malloc_usable_size"
    };
    static const char *const begin[] = { "pthread_", "__pthread_", "thrd_",  "mtx_",
                                         "cnd_",     "tss_",       "sem_",   "__cxa_",
                                         "_Zn",      "_Zd",        "heddle_" };
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcmp(name, exact[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (hd_str_starts(name, begin[i]))
            return true;
    return false;
}

/* The names that the archive defines, and those of the library that it uses: its memcpy must
 * not become the program's. */
static int runtime_symbols(const char *path, struct hd_strmap *names, struct hd_err *err)
{
    struct hd_ar ar;
    int failed = hd_ar_open(&ar, path, err);
    for (size_t i = 0; !failed && i < ar.n; i++) {
        struct hd_symbols symbols;
        if (!hd_elf_is(ar.members[i].bytes, ar.members[i].n))
            continue;
        hd_symbols_init(&symbols);
        hd_elf_symbols(ar.members[i].bytes, ar.members[i].n, &symbols);
        for (size_t k = 0; k < symbols.strong.n; k++)
            *hd_strmap_put(names, symbols.strong.items[k]) = 1;
        for (size_t k = 0; k < symbols.wanted.n; k++)
            *hd_strmap_put(names, symbols.wanted.items[k]) = 1;
        hd_symbols_release(&symbols);
    }
    hd_ar_release(&ar);
    return failed;
}

static bool is_global_definition(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return !LLVMIsDeclaration(value) && linkage != LLVMInternalLinkage &&
           linkage != LLVMPrivateLinkage && linkage != LLVMAvailableExternallyLinkage;
}

static int rename_one(LLVMValueRef value, const struct hd_strmap *names, struct hd_err *err)
{
    size_t n;
    const char *name = LLVMGetValueName2(value, &n);
    if (!is_global_definition(value) || strcmp(name, "main") == 0 || !hd_strmap_get(names, name))
        return 0;
    if (must_be_ours(name))
        return hd_err_set(
            err,
            "the program defines %s itself, and under heddle only heddle's %s works: "
            "give it another name",
            name, name);
    char *own = hd_str_format("%s.own", name);
    LLVMSetValueName2(value, own, strlen(own));
    free(own);
    return 0;
}

int hd_own_names(LLVMModuleRef program, const char *runtime, struct hd_err *err)
{
    struct hd_strmap names;
    hd_strmap_init(&names);
    int failed = runtime_symbols(runtime, &names, err);
    LLVMValueRef v;
    for (v = LLVMGetFirstFunction(program); v && !failed; v = LLVMGetNextFunction(v))
        failed = rename_one(v, &names, err);
    for (v = LLVMGetFirstGlobal(program); v && !failed; v = LLVMGetNextGlobal(v))
        failed = rename_one(v, &names, err);
    for (v = LLVMGetFirstGlobalAlias(program); v && !failed; v = LLVMGetNextGlobalAlias(v))
        failed = rename_one(v, &names, err);
    hd_strmap_release(&names);
    return failed ? -1 : 0;
}
