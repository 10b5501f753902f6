/* Attributes: libc's own functions, after the object has been logged.  The accesses are
 * announced before the call (libc.def), except for the function that writes two results. */
#include "runtime/memory.h"

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

static int real_getstack(const pthread_attr_t *a, void **at, size_t *bytes)
{
    return ((int (*)(const pthread_attr_t *, void **, size_t *))(uintptr_t)hd_real(
        "pthread_attr_getstack"))(a, at, bytes);
}

bool hd_attr_has_stack(const pthread_attr_t *a)
{
    void *at;
    size_t bytes;
    /* without a stack, glibc computes its begin as if it ended at 0 */
    return real_getstack(a, &at, &bytes) == 0 && (uintptr_t)at + bytes != 0;
}

int pthread_attr_getstack(const pthread_attr_t *restrict a, void **restrict at,
                          size_t *restrict bytes)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    __heddle_will_read(a, sizeof *a, site);
    __heddle_will_write(at, sizeof *at, site);
    __heddle_will_write(bytes, sizeof *bytes, site);
    hd_log_range(at, sizeof *at); /* it is written in this step */
    return real_getstack(a, at, bytes);
}
