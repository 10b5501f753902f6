/* Attributes: libc's own functions, with the object kept for the way back. */
#include "runtime/rt.h"

#include <pthread.h>
#include <signal.h>

#define HD_ATTR(function, type, parameters, arguments)                                           \
    int function parameters                                                                      \
    {                                                                                            \
        hd_rt_prepare();                                                                         \
        hd_log_range(a, sizeof(type));                                                           \
        return ((int(*) parameters)(uintptr_t)hd_real(#function))arguments;                      \
    }
#include "runtime/attr.def"
