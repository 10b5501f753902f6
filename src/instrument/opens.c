#include "instrument/opens.h"

#include <stddef.h>
#include <string.h>

/* Streams and paths of C++ are opened inside its library. */
static bool is_of_cxx(const char *name)
{
    static const char *const parts[] = { "basic_filebuf", "basic_ifstream", "basic_ofstream",
                                         "basic_fstream", "filesystem",     NULL };
    for (const char *const *part = parts; *part; part++)
        if (strstr(name, *part))
            return true;
    return false;
}

static bool opens(const char *name)
{
    static const char *const names[] = {
        "open",    "openat",       "creat",        "fopen",         "freopen",   "opendir",
        "tmpfile", "mkstemp",      "mkostemp",     "mkstemps",      "mkostemps", "shm_open",
        "mq_open", "memfd_create", "inotify_init", "inotify_init1", NULL
    };
    size_t n = strlen(name);
    if (n > 2 && strcmp(name + n - 2, "64") == 0) /* open64 and its like */
        n -= 2;
    for (const char *const *one = names; *one; one++)
        if (strlen(*one) == n && strncmp(name, *one, n) == 0)
            return true;
    return is_of_cxx(name);
}

bool hd_opens_files(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f) && opens(LLVMGetValueName2(f, &length)))
            return true;
    }
    return false;
}
