/* Where the program runs: the working directory and the name of the machine.  Both are the same
 * in every execution.  Exactly those bytes of the program's memory are stored to that the C
 * library would store to. */
#include "runtime/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

extern uint32_t __heddle_call_site;

/* A buffer of the size that was asked for, or of the size that is needed. */
static char *room_for(size_t needed, size_t size, uint32_t site)
{
    __heddle_call_site = site;
    return malloc(size ? size : needed);
}

char *getcwd(char *into, size_t size)
{
    uint32_t site = hd_take_site();
    char path[PATH_MAX] = { 0 };
    hd_rt_prepare();
    if (into && size == 0) {
        errno = EINVAL;
        return NULL;
    }
    long n = hd_syscall(SYS_getcwd, (long)(uintptr_t)path, sizeof path, 0, 0, 0, 0);
    if (n < 0)
        return NULL;
    if (size && (size_t)n > size) {
        if (into) /* nothing is stored, but the buffer must exist */
            hd_check_range(into, 1, HD_OP_WRITE, site);
        errno = ERANGE;
        return NULL;
    }
    char *to = into ? into : room_for((size_t)n, size, site);
    if (to)
        __heddle_store_n(to, path, (size_t)n, site);
    return to;
}

int gethostname(char *into, size_t size)
{
    uint32_t site = hd_take_site();
    struct utsname name;
    memset(&name, 0, sizeof name);
    hd_rt_prepare();
    if (hd_syscall(SYS_uname, (long)(uintptr_t)&name, 0, 0, 0, 0, 0) != 0)
        return -1;
    size_t n = strlen(name.nodename) + 1;
    if (size)
        __heddle_store_n(into, name.nodename, n < size ? n : size, site);
    if (n <= size)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}
