/* Loads libLLVM when one of its functions is called for the first time (llvm.awk). */
#include "compile/llvm.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing can be returned to the caller, which called a function of LLVM. */
static void refuse(void)
{
    fprintf(stderr, "heddle: cannot load LLVM (%s): install the package libllvm%d\n", dlerror(),
            LLVM_VERSION_MAJOR);
    exit(2);
}

void hd_llvm_load(void)
{
    static void *library;
    if (library)
        return;
    library = dlopen(HD_LLVM_LIBRARY, RTLD_NOW);
    if (!library)
        refuse();
    const char *name = hd_llvm_names;
    for (int i = 0; i < hd_llvm_count; i++, name += strlen(name) + 1) {
        hd_llvm_slots[i] = dlsym(library, name);
        if (!hd_llvm_slots[i])
            refuse();
    }
}
