#include "instrument/properties.h"

#include "analyse/code.h"

#include <stddef.h>
#include <string.h>

static bool is_self(LLVMValueRef value)
{
    return hd_code_is_call(value) && strcmp(hd_code_callee_name(value), "pthread_self") == 0;
}

/* Is the function used otherwise than in calls about the caller? */
static bool concerns_others(LLVMValueRef function)
{
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!hd_code_is_call(call) || LLVMGetCalledValue(call) != function ||
            LLVMGetNumArgOperands(call) == 0 || !is_self(LLVMGetOperand(call, 0)))
            return true;
    }
    return false;
}

bool hd_uses_properties(LLVMModuleRef module)
{
    static const char *const names[] = { "pthread_setname_np",     "pthread_getname_np",
                                         "pthread_setaffinity_np", "pthread_getaffinity_np",
                                         "pthread_setschedparam",  "pthread_getschedparam",
                                         "pthread_setschedprio",   "pthread_getcpuclockid",
                                         "pthread_getattr_np",     NULL };
    for (const char *const *name = names; *name; name++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, *name);
        if (function && concerns_others(function))
            return true;
    }
    return false;
}
