#include "core/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define MOST 1024
#define X32 0x40000000u /* numbers of the other interface that the architecture has */

struct program {
    struct sock_filter code[MOST];
    uint32_t n;
};

static void add(struct program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    p->code[p->n++] = (struct sock_filter){ code, yes, no, k };
}

static void load(struct program *p, uint32_t offset)
{
    add(p, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

/* The low half: numbers of processes and signals are ints. */
static void load_argument(struct program *p, uint32_t argument)
{
    load(p, (uint32_t)offsetof(struct seccomp_data, args) + 8 * argument);
}

static void answer(struct program *p, uint32_t how) { add(p, BPF_RET | BPF_K, how, 0, 0); }

static void if_equal(struct program *p, uint32_t value, uint8_t yes, uint8_t no)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

static void never(struct program *p, uint32_t call)
{
    if_equal(p, call, 0, 1);
    answer(p, SECCOMP_RET_TRAP);
}

/* 0 is the caller in some calls, its group in kill (where it is alone), and nothing in the
 * others. */
static void only_self(struct program *p, uint32_t call, uint32_t argument, uint32_t self)
{
    if_equal(p, call, 0, 5);
    load_argument(p, argument);
    if_equal(p, 0, 1, 0);
    if_equal(p, self, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, SECCOMP_RET_TRAP);
}

/* Signal 0 only asks whether there is a process. */
static void no_signal(struct program *p, uint32_t call, uint32_t argument)
{
    if_equal(p, call, 0, 4);
    load_argument(p, argument);
    if_equal(p, 0, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    load(p, offsetof(struct seccomp_data, nr));
}

/* Groups and users may include other processes. */
static void only_which(struct program *p, uint32_t call, uint32_t which)
{
    if_equal(p, call, 0, 4);
    load_argument(p, 0);
    if_equal(p, which, 1, 0);
    answer(p, SECCOMP_RET_TRAP);
    load(p, offsetof(struct seccomp_data, nr));
}

/* Typing into the terminal that heddle was started from. */
static void no_terminal(struct program *p)
{
    enum { LINUX = 0x541c }; /* TIOCLINUX */
    static const uint32_t requests[] = { TIOCSTI, TIOCSCTTY, TIOCSPGRP, LINUX };
    uint8_t n = sizeof requests / sizeof *requests;
    if_equal(p, SYS_ioctl, 0, (uint8_t)(n + 3));
    load_argument(p, 1);
    for (uint8_t i = 0; i < n; i++)
        if_equal(p, requests[i], (uint8_t)(n - i), 0);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, SECCOMP_RET_TRAP);
}

/* Threads may be made: the C library asks for them with clone() when clone3(), whose flags a
 * filter cannot see, is not there. */
static void only_threads(struct program *p)
{
    if_equal(p, SYS_clone3, 0, 1);
    answer(p, SECCOMP_RET_ERRNO | ENOSYS);
    if_equal(p, SYS_clone, 0, 4);
    load_argument(p, 0);
    add(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, SECCOMP_RET_TRAP);
}

/* The worker dies with its parent, whatever the program asks for: its call seems to succeed. */
static void keep_parent(struct program *p)
{
    if_equal(p, SYS_prctl, 0, 4);
    load_argument(p, 0);
    if_equal(p, PR_SET_PDEATHSIG, 0, 1);
    answer(p, SECCOMP_RET_ERRNO);
    answer(p, SECCOMP_RET_ALLOW);
}

/* Goes on with what follows if the call is made by the instruction before `after`. */
static void only_from(struct program *p, uint64_t after)
{
    uint32_t at = (uint32_t)offsetof(struct seccomp_data, instruction_pointer);
    load(p, at);
    if_equal(p, (uint32_t)after, 0, 2);
    load(p, at + 4);
    if_equal(p, (uint32_t)(after >> 32), 1, 0);
    answer(p, SECCOMP_RET_TRAP);
    answer(p, SECCOMP_RET_ALLOW);
}

static void changes_files(struct program *p, uint32_t call, uint64_t after)
{
    if_equal(p, call, 0, 6);
    only_from(p, after);
}

/* Flags are the argument. */
static void opens_files(struct program *p, uint32_t call, uint32_t argument, uint64_t after)
{
    if_equal(p, call, 0, 9);
    load_argument(p, argument);
    add(p, BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC, 1, 0);
    answer(p, SECCOMP_RET_ALLOW);
    only_from(p, after);
}

/* Only the instruction before `after` may open files for writing and change names and
 * properties. */
static void keep_files(struct program *p, uint64_t after)
{
    if_equal(p, SYS_openat2, 0, 1); /* its flags cannot be seen */
    answer(p, SECCOMP_RET_ERRNO | ENOSYS);
    opens_files(p, SYS_open, 1, after);
    opens_files(p, SYS_openat, 2, after);
#define HD_OUTSIDE_FILES(call) changes_files(p, SYS_##call, after);
#include "core/outside.def"
}

static void make(struct program *p, uint32_t self, bool running, uint64_t after)
{
    p->n = 0;
    load(p, offsetof(struct seccomp_data, arch));
    if_equal(p, AUDIT_ARCH_X86_64, 1, 0);
    answer(p, SECCOMP_RET_TRAP);
    load(p, offsetof(struct seccomp_data, nr));
    add(p, BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1);
    answer(p, SECCOMP_RET_TRAP);
    no_signal(p, SYS_kill, 1);
    no_signal(p, SYS_tgkill, 2);
    no_signal(p, SYS_tkill, 1);
    only_which(p, SYS_setpriority, 0 /* PRIO_PROCESS */);
    only_which(p, SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */);
#define HD_OUTSIDE_NEVER(call) never(p, SYS_##call);
#define HD_OUTSIDE_SELF(call, arg) only_self(p, SYS_##call, arg, self);
#define HD_OUTSIDE_PROCESS(call)                                                                 \
    if (running)                                                                                 \
        never(p, SYS_##call);
#include "core/outside.def"
    no_terminal(p);
    if (running)
        only_threads(p);
    if (after)
        keep_files(p, after);
    keep_parent(p);
    answer(p, SECCOMP_RET_ALLOW);
}

const char *hd_sandbox_name(int32_t number)
{
    switch (number) {
#define HD_OUTSIDE_NEVER(call)                                                                   \
    case SYS_##call:                                                                             \
        return #call;
#define HD_OUTSIDE_SELF(call, arg)                                                               \
    case SYS_##call:                                                                             \
        return #call;
#define HD_OUTSIDE_PROCESS(call)                                                                 \
    case SYS_##call:                                                                             \
        return #call;
#define HD_OUTSIDE_FILES(call)                                                                   \
    case SYS_##call:                                                                             \
        return #call;
#include "core/outside.def"
    case SYS_open:
        return "open";
    case SYS_openat:
        return "openat";
    case SYS_clone:
        return "clone";
    case SYS_ioctl:
        return "ioctl";
    default:
        return 0;
    }
}

/* The library's functions may be the tested program's model of them. */
static long call(long number, long a, long b, long c, long d, long e)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}

#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_RESTRICT_SELF 446

/* Best effort: older kernels do not have it. */
static void enter_domain(void)
{
    struct {
        uint64_t handled_access_fs, handled_access_net, scoped;
    } rules = { .scoped = 2 /* LANDLOCK_SCOPE_SIGNAL */ };
    long fd = call(LANDLOCK_CREATE_RULESET, (long)(uintptr_t)&rules, sizeof rules, 0, 0, 0);
    if (fd < 0)
        return;
    call(LANDLOCK_RESTRICT_SELF, fd, 0, 0, 0, 0);
    call(SYS_close, fd, 0, 0, 0, 0);
}

int hd_sandbox_enter(bool running, const char *after)
{
    struct program p;
    uint32_t self = (uint32_t)call(SYS_getpid, 0, 0, 0, 0, 0);
    make(&p, self, running, (uint64_t)(uintptr_t)after);
    struct sock_fprog whole = { .len = (uint16_t)p.n, .filter = p.code };
    long got = call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (got == 0)
        enter_domain();
    if (got == 0)
        got = call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)(uintptr_t)&whole, 0, 0);
    return (int)-got;
}

bool hd_sandbox_available(void)
{
    uint32_t action = SECCOMP_RET_TRAP;
    return call(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, (long)(uintptr_t)&action, 0, 0) == 0;
}
