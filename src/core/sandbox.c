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
#define MOST_CALLS 160  /* whose fates take two instructions each, and some of their own */
#define TOGETHER 8      /* calls that are compared one after the other */
#define X32 0x40000000u /* numbers of the other interface that the architecture has */

/* What becomes of a call. */
enum fate {
    REFUSED,
    MISSING,  /* as if the system did not have it: its flags cannot be seen */
    SIGNAL_1, /* a signal to the process itself, or 0, which only asks whether there is one; */
    SIGNAL_2, /* the number of the argument */
    SELF_0,   /* that argument is the process itself */
    SELF_1,
    PRIORITY, /* of a process, which must be itself; groups and users may include others */
    IO_PRIORITY,
    TERMINAL,
    THREAD,
    PARENT,
    FILES,
    OPEN_1, /* the argument with flags */
    OPEN_2,
    N_FATES
};

/* A worker is started with a filter of its own, and the kernel follows it once for each call
 * that there is.  So the calls are found by halving, and those with one fate share what
 * follows. */
struct program {
    struct sock_filter code[MOST];
    uint32_t n;
    struct {
        uint32_t call;
        enum fate fate;
    } calls[MOST_CALLS]; /* in ascending order; all others are allowed */
    uint32_t n_calls;
    struct {
        uint32_t at;
        enum fate to;
    } jumps[MOST]; /* to what is not placed yet */
    uint32_t n_jumps;
    uint32_t places[N_FATES];
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

static void jump(struct program *p, enum fate to)
{
    p->jumps[p->n_jumps].at = p->n;
    p->jumps[p->n_jumps++].to = to;
    add(p, BPF_JMP | BPF_JA, 0, 0, 0);
}

static void place(struct program *p, enum fate fate) { p->places[fate] = p->n; }

static void decide(struct program *p, uint32_t call, enum fate fate)
{
    uint32_t at = p->n_calls++;
    for (; at && p->calls[at - 1].call > call; at--)
        p->calls[at] = p->calls[at - 1];
    p->calls[at].call = call;
    p->calls[at].fate = fate;
}

/* Some of them can do more than name a process. */
static enum fate fate_of_self(uint32_t call, uint32_t argument)
{
    if (call == SYS_kill || call == SYS_tkill)
        return SIGNAL_1;
    if (call == SYS_tgkill)
        return SIGNAL_2;
    if (call == SYS_setpriority)
        return PRIORITY;
    if (call == SYS_ioprio_set)
        return IO_PRIORITY;
    return argument ? SELF_1 : SELF_0;
}

enum {
#define HD_OUTSIDE_NEVER(call) +1
#define HD_OUTSIDE_SELF(call, arg) +1
#define HD_OUTSIDE_PROCESS(call) +1
#define HD_OUTSIDE_FILES(call) +1
    LISTED = 0
#include "core/outside.def"
};

/* Beside those of the list there are seven. */
static void decide_all(struct program *p, bool running, bool files)
{
#define HD_OUTSIDE_NEVER(call) decide(p, SYS_##call, REFUSED);
#define HD_OUTSIDE_SELF(call, arg) decide(p, SYS_##call, fate_of_self(SYS_##call, arg));
#define HD_OUTSIDE_PROCESS(call)                                                                 \
    if (running)                                                                                 \
        decide(p, SYS_##call, REFUSED);
#define HD_OUTSIDE_FILES(call)                                                                   \
    if (files)                                                                                   \
        decide(p, SYS_##call, FILES);
#include "core/outside.def"
    _Static_assert(LISTED + 7 <= MOST_CALLS && 4 * MOST_CALLS <= MOST, "there is room for them");
    decide(p, SYS_ioctl, TERMINAL);
    decide(p, SYS_prctl, PARENT);
    if (running) {
        decide(p, SYS_clone3, MISSING);
        decide(p, SYS_clone, THREAD);
    }
    if (files) {
        decide(p, SYS_openat2, MISSING);
        decide(p, SYS_open, OPEN_1);
        decide(p, SYS_openat, OPEN_2);
    }
}

/* What becomes of the calls [from, to): they are compared, then their fates follow. */
static void compare(struct program *p, uint32_t from, uint32_t to)
{
    uint32_t first = p->n, fates = 0;
    for (uint32_t i = from; i < to; i++) {
        if_equal(p, p->calls[i].call, 0, 0);
        fates |= 1u << p->calls[i].fate;
    }
    answer(p, SECCOMP_RET_ALLOW);
    for (enum fate fate = 0; fate < N_FATES; fate++) {
        if (!(fates >> fate & 1))
            continue;
        for (uint32_t i = from; i < to; i++)
            if (p->calls[i].fate == fate)
                p->code[first + i - from].jt = (uint8_t)(p->n - (first + i - from) - 1);
        if (fate == REFUSED)
            answer(p, SECCOMP_RET_TRAP);
        else
            jump(p, fate);
    }
}

/* The same by halving.  A comparison jumps over 255 instructions at most, so it is followed by
 * a jump. */
static void find(struct program *p, uint32_t from, uint32_t to)
{
    if (to - from <= TOGETHER) {
        compare(p, from, to);
        return;
    }
    uint32_t middle = from + (to - from) / 2;
    add(p, BPF_JMP | BPF_JGE | BPF_K, p->calls[middle].call, 0, 1);
    uint32_t at = p->n;
    add(p, BPF_JMP | BPF_JA, 0, 0, 0);
    find(p, from, middle);
    p->code[at].k = p->n - at - 1;
    find(p, middle, to);
}

static void only_self(struct program *p, uint32_t argument, uint32_t self)
{
    load_argument(p, argument);
    /* 0 is the caller in some calls, its group in kill (where it is alone), and nothing in the
     * others */
    if_equal(p, 0, 1, 0);
    if_equal(p, self, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, SECCOMP_RET_TRAP);
}

static void self_fates(struct program *p, uint32_t self)
{
    for (uint32_t argument = 1; argument <= 2; argument++) {
        place(p, argument == 1 ? SIGNAL_1 : SIGNAL_2);
        load_argument(p, argument);
        if_equal(p, 0, 0, 1);
        answer(p, SECCOMP_RET_ALLOW);
        jump(p, SELF_0);
    }
    place(p, SELF_0);
    only_self(p, 0, self);
    static const uint32_t which[] = { 0 /* PRIO_PROCESS */, 1 /* IOPRIO_WHO_PROCESS */ };
    for (uint32_t i = 0; i < 2; i++) {
        place(p, i ? IO_PRIORITY : PRIORITY);
        load_argument(p, 0);
        if_equal(p, which[i], 1, 0);
        answer(p, SECCOMP_RET_TRAP);
        jump(p, SELF_1);
    }
    place(p, SELF_1);
    only_self(p, 1, self);
}

/* Typing into the terminal that heddle was started from. */
static void no_terminal(struct program *p)
{
    enum { LINUX = 0x541c }; /* TIOCLINUX */
    static const uint32_t requests[] = { TIOCSTI, TIOCSCTTY, TIOCSPGRP, LINUX };
    uint8_t n = sizeof requests / sizeof *requests;
    place(p, TERMINAL);
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
    place(p, THREAD);
    load_argument(p, 0);
    add(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, SECCOMP_RET_TRAP);
}

/* The worker dies with its parent, whatever the program asks for: its call seems to succeed. */
static void keep_parent(struct program *p)
{
    place(p, PARENT);
    load_argument(p, 0);
    if_equal(p, PR_SET_PDEATHSIG, 0, 1);
    answer(p, SECCOMP_RET_ERRNO);
    answer(p, SECCOMP_RET_ALLOW);
}

/* Only the instruction before `after` may open files for writing and change names and
 * properties. */
static void keep_files(struct program *p, uint64_t after)
{
    for (uint32_t flags = 1; flags <= 2; flags++) {
        place(p, flags == 1 ? OPEN_1 : OPEN_2);
        load_argument(p, flags);
        add(p, BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC, 1, 0);
        answer(p, SECCOMP_RET_ALLOW);
        jump(p, FILES);
    }
    place(p, FILES);
    uint32_t at = (uint32_t)offsetof(struct seccomp_data, instruction_pointer);
    load(p, at);
    if_equal(p, (uint32_t)after, 0, 2);
    load(p, at + 4);
    if_equal(p, (uint32_t)(after >> 32), 1, 0);
    answer(p, SECCOMP_RET_TRAP);
    answer(p, SECCOMP_RET_ALLOW);
}

static void make(struct program *p, uint32_t self, bool running, uint64_t after)
{
    p->n = p->n_calls = p->n_jumps = 0;
    load(p, offsetof(struct seccomp_data, arch));
    if_equal(p, AUDIT_ARCH_X86_64, 1, 0);
    answer(p, SECCOMP_RET_TRAP);
    load(p, offsetof(struct seccomp_data, nr));
    add(p, BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1);
    answer(p, SECCOMP_RET_TRAP);
    decide_all(p, running, after != 0);
    find(p, 0, p->n_calls);
    place(p, MISSING);
    answer(p, SECCOMP_RET_ERRNO | ENOSYS);
    self_fates(p, self);
    no_terminal(p);
    if (running)
        only_threads(p);
    keep_parent(p);
    if (after)
        keep_files(p, after);
    for (uint32_t i = 0; i < p->n_jumps; i++)
        p->code[p->jumps[i].at].k = p->places[p->jumps[i].to] - p->jumps[i].at - 1;
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
