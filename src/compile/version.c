#include "compile/version.h"

#include <llvm-c/Core.h>
#include <stdio.h>

const char *hd_llvm_version(void)
{
    static char text[40];
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, patch);
    return text;
}
