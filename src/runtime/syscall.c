/* syscall(): modelled calls go to the same code as the library's functions.  Other calls are an
 * error with their line, as nothing could be said about a program that does something
 * unknown. */
#include "runtime/futex.h"
#include "runtime/notes.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The instruction after the call must be this one's alone: the filter knows it by that. */
__attribute__((noinline)) long hd_syscall(long number, long a, long b, long c, long d, long e,
                                          long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall\n.globl hd_syscall_after\nhd_syscall_after:"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

#define ARCH_SET_FS 0x1002

uint64_t hd_set_fs_by_call(uint64_t base, uint64_t sp)
{
    long result; /* there is no errno to set: it would be that of another thread */
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS), "S"(base)
                     : "rcx", "r11", "memory");
    (void)result;
    return sp;
}

/* Every thread has its own id, as in the kernel; the main thread's is the process's. */
pid_t gettid(void)
{
    if (hd_ready && rt->cur)
        rt->distinguished_by = "one of them asks for its own id";
    return getpid() + (hd_ready ? (pid_t)rt->cur : 0);
}

#define AT(type, address) ((type)(uintptr_t)(address))

static long futex(const long *args, uint32_t site)
{
    bool moves = (args[1] & 127) == 3 || (args[1] & 127) == 4;
    struct hd_futex_call call = { .word = AT(uint32_t *, args[0]),
                                  .word2 = AT(uint32_t *, args[4]),
                                  .op = (int)args[1],
                                  .value = (uint32_t)args[2],
                                  .limit = moves ? (uint32_t)args[3] : 0,
                                  .value3 = (uint32_t)args[5],
                                  .timeout = moves ? NULL : AT(const struct timespec *, args[3]),
                                  .site = site };
    return hd_futex(&call);
}

/* A query is answered as by a kernel that has no such commands.  Under sequential consistency
 * everything is ordered already. */
static long membarrier(int command, uint32_t site)
{
    int orders = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
                 MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE;
    if (rt->weak && command & orders)
        hd_fence_everywhere(site);
    return 0;
}

long syscall(long number, ...)
{
    uint32_t site = hd_take_site();
    long args[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        args[i] = va_arg(list, long);
    va_end(list);
    if (!hd_ready)
        return hd_syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]);
    __heddle_call_site = site; /* for the library's function that is called instead */
    switch (number) {
    case SYS_futex:
        return futex(args, site);
    case SYS_gettid:
        return gettid();
    case SYS_getpid:
        return getpid();
    case SYS_sched_yield:
        return sched_yield();
    case SYS_membarrier:
        return membarrier((int)args[0], site);
    case SYS_clock_gettime:
        __heddle_reached(HD_NOTE_TIME, site);
        return clock_gettime((clockid_t)args[0], AT(struct timespec *, args[1]));
    case SYS_getrandom:
        __heddle_reached(HD_NOTE_RANDOM, site);
        return getrandom(AT(void *, args[0]), (size_t)args[1], (unsigned)args[2]);
    case SYS_close:
        return close((int)args[0]);
    case SYS_read:
        __heddle_reads_fd((int)args[0], site);
        return read((int)args[0], AT(void *, args[1]), (size_t)args[2]);
    case SYS_write:
        return write((int)args[0], AT(const void *, args[1]), (size_t)args[2]);
    case SYS_exit_group:
        _exit((int)args[0]);
    default:
        break;
    }
    __heddle_call_site = 0;
    if (rt->mode == HD_PLAIN)
        return hd_syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]);
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: system call %ld through syscall() is not modelled by this version of heddle: "
             "call the library's function for it",
             place, number);
}
