#include "instrument/properties.h"

#include "analyse/code.h"
#include "core/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The caller: its id, its number, or the number 0, which stands for it. */
static bool is_self(LLVMValueRef value)
{
    if (LLVMIsAConstantInt(value))
        return LLVMConstIntGetZExtValue(value) == 0;
    if (!hd_code_is_call(value))
        return false;
    const char *name = hd_code_callee_name(value);
    return strcmp(name, "pthread_self") == 0 || strcmp(name, "gettid") == 0;
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

static bool one_concerns_others(LLVMModuleRef module, const char *const *names)
{
    for (; *names; names++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, *names);
        if (function && concerns_others(function))
            return true;
    }
    return false;
}

uint32_t hd_properties_used(LLVMModuleRef module)
{
    static const char *const by_id[] = { "pthread_setname_np",     "pthread_getname_np",
                                         "pthread_setaffinity_np", "pthread_getaffinity_np",
                                         "pthread_setschedparam",  "pthread_getschedparam",
                                         "pthread_setschedprio",   "pthread_getcpuclockid",
                                         "pthread_getattr_np",     NULL };
    static const char *const by_number[] = { "sched_setscheduler", "sched_getscheduler",
                                             "sched_setaffinity", "sched_getaffinity", NULL };
    static const char *const detach[] = { "pthread_detach", "thrd_detach", NULL };
    if (one_concerns_others(module, by_number))
        return HD_PROPERTIES_ASKED | HD_PROPERTIES_END;
    if (!one_concerns_others(module, by_id))
        return 0;
    return HD_PROPERTIES_ASKED | (one_concerns_others(module, detach) ? HD_PROPERTIES_END : 0);
}
