#include "analyse/remembers.h"

#include "analyse/libc.h"
#include "base/str.h"

#include <string.h>

enum hd_remembers hd_slice_remembers(const struct hd_facts *facts, uint32_t point)
{
    static const char *const interrupts[] = {
        "pthread_cancel", "pthread_kill", "pthread_sigqueue", "raise",
        "kill",           "sigqueue",     "tgkill",           "alarm"
    };
    static const char *const others[] = {
        "malloc",         "calloc",        "realloc",        "free",         "aligned_alloc",
        "posix_memalign", "__assert_fail", "abort",          "exit",         "_exit",
        "_Exit",          "pthread_exit",  "thrd_exit",      "pthread_self", "pthread_equal",
        "thrd_current",   "thrd_equal",    "pthread_detach", "thrd_detach"
    };
    uint8_t sync = facts->accesses.sync[point];
    LLVMValueRef inst = facts->code.insts[point];
    if (!hd_code_is_call(inst) ||
        (sync != HD_SYNC_NONE && sync != HD_SYNC_OTHER && sync != HD_SYNC_QUIET))
        return HD_REMEMBERS_NONE;
    const char *name = hd_code_callee_name(inst);
    const struct hd_libc *row = *name ? hd_libc_find(name) : NULL;
    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
        if (strcmp(name, interrupts[i]) == 0)
            return HD_REMEMBERS_INTERRUPTS;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return HD_REMEMBERS_NONE;
    if (row == NULL || hd_str_starts(name, "heddle_") || hd_str_starts(name, "__heddle_shown") ||
        hd_str_starts(name, "pthread_attr_") || hd_str_starts(name, "pthread_mutexattr_") ||
        hd_str_starts(name, "pthread_condattr_") || hd_str_starts(name, "pthread_rwlockattr_") ||
        hd_str_starts(name, "pthread_barrierattr_"))
        return HD_REMEMBERS_NONE;
    return row->class == HD_LIBC_MODEL || row->class == HD_LIBC_STATE ||
                   row->class == HD_LIBC_WORLD
               ? HD_REMEMBERS
               : HD_REMEMBERS_NONE;
}
