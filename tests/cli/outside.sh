#!/bin/bash
# What a program does to other processes and to the machine never leaves the worker.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# Every program has one line `CALL;` in a thread, line 14.  A child of the script's own stands by as somebody to be hit.
program() {
    cat >p.c <<C
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include "more.h"
static void *thread(void *unused)
{
    $1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
C
}
cat >more.h <<'C'
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>
static inline long raw(long number, long a, long b, long c, long d)
{
    register long r10 __asm__("r10") = d;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}
C

sleep 1000 &
other=$!
disown $other
trap 'kill -9 $other 2>/dev/null; rm -rf "$tmp"' EXIT

# unharmed NAME: the other process is there, is not stopped, and its priority is as it was.
unharmed() {
    local state nice
    read -r state nice < <(awk '{ sub(/.*\) /, ""); print $1, $17 }' "/proc/$other/stat" 2>/dev/null)
    if [ "$state" != S ] || [ "$nice" != "$want" ]; then fail "$1: nobody is hit" "state '$state' nice '$nice'"
    else pass "$1: nobody is hit"; fi
}
want=$(awk '{ sub(/.*\) /, ""); print $17 }' "/proc/$other/stat")

# refused NAME CALL: one line with the place, status 2; heddle has not been stopped.
refused() {
    program "$2"
    expect_error "$1" "^heddle: (p.c:14|more.h:[0-9]+|p.c:13): .*(not modelled|reaches outside|only to itself)" \
        "$HEDDLE" check -q p.c
    unharmed "$1"
}

refused 'kill of the parent' 'kill(getppid(), SIGSTOP)'
refused 'kill of another' "kill($other, SIGKILL)"
refused 'kill of all' 'kill(-1, SIGSTOP)'
refused 'kill of a group' "kill(-$other, SIGSTOP)"
refused 'killpg' "killpg($other, SIGSTOP)"
refused 'sigqueue' "sigqueue($other, SIGTERM, (union sigval){ 0 })"
refused 'tgkill' "tgkill($other, $other, SIGTERM)"
refused 'ptrace' "ptrace(PTRACE_ATTACH, $other, 0, 0)"
refused 'setpriority' "setpriority(PRIO_PROCESS, $other, 19)"
refused 'setpriority of a user' 'setpriority(PRIO_USER, 0, 19)'
refused 'prlimit' "struct rlimit l = { 0, 0 }; prlimit($other, RLIMIT_CPU, &l, 0)"
refused 'sched_setaffinity' "cpu_set_t s; CPU_ZERO(&s); CPU_SET(0, &s); raw(SYS_sched_setaffinity, $other, sizeof s, (long)&s, 0)"
refused 'process_vm_writev' "process_vm_writev($other, 0, 0, 0, 0, 0)"
refused 'reboot' 'reboot(0)'
refused 'mount' 'mount("none", "/mnt", "tmpfs", 0, 0)'
refused 'unshare' 'unshare(CLONE_NEWNS)'
refused 'setsid' 'setsid()'
refused 'setpgid' 'setpgid(0, getppid())'
refused 'syscall(SYS_kill)' "syscall(SYS_kill, $other, SIGKILL)"
refused 'the instruction: kill' "raw(SYS_kill, $other, SIGKILL, 0, 0)"
refused 'the instruction: tgkill' "raw(SYS_tgkill, $other, $other, SIGKILL, 0)"
refused 'the instruction: tkill' "raw(SYS_tkill, $other, SIGKILL, 0, 0)"
refused 'the instruction: rt_sigqueueinfo' "siginfo_t i = { 0 }; raw(SYS_rt_sigqueueinfo, $other, SIGTERM, (long)&i, 0)"
refused 'the instruction: pidfd_send_signal' 'raw(SYS_pidfd_send_signal, 0, 9, 0, 0)'
refused 'the instruction: ptrace' "raw(SYS_ptrace, PTRACE_SEIZE, $other, 0, 0)"
refused 'the instruction: setpriority' "raw(SYS_setpriority, PRIO_PROCESS, $other, 19, 0)"
refused 'the instruction: fork' 'raw(SYS_fork, 0, 0, 0, 0)'
refused 'the instruction: clone' 'raw(SYS_clone, SIGCHLD, 0, 0, 0)'
refused 'the instruction: execve' 'raw(SYS_execve, (long)"/bin/true", 0, 0, 0)'
refused 'the instruction: io_uring' 'raw(SYS_io_uring_setup, 8, 0, 0, 0)'
refused 'the instruction: reboot' 'raw(SYS_reboot, 0, 0, 0, 0)'
refused 'int 0x80' "long r; __asm__ volatile(\"int \$0x80\" : \"=a\"(r) : \"a\"(37), \"b\"($other), \"c\"(19) : \"memory\")"
refused 'the x32 interface' "raw(0x40000000 + SYS_kill, $other, SIGKILL, 0, 0)"
refused 'typing into the terminal' 'char c = 10; ioctl(0, TIOCSTI, &c)'

# Before main, and by code that heddle has not instrumented.
cat >early.c <<C
#include <signal.h>
#include <sys/syscall.h>
static __attribute__((constructor)) void early(void)
{
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(SYS_kill), "D"($other), "S"(SIGSTOP) : "rcx", "r11", "memory");
}
C
"clang-${LLVM:-19}" -c -o early.o early.c
program ''
"$HEDDLE" cc -o early p.c early.o -pthread 2>/dev/null
expect_error 'a constructor of native code' 'reaches outside.*before its main' "$HEDDLE" check -q ./early
unharmed 'a constructor of native code'

# The same in a replay, and with several workers.
program 'int unused = 0; (void)unused'
"$HEDDLE" check -q p.c >/dev/null 2>&1
program "raw(SYS_kill, $other, SIGSTOP, 0, 0)"
expect_error 'several workers' 'reaches outside' "$HEDDLE" check -q -j 2 p.c
echo '0 1 1 1 0' >ids
expect_error 'a replay' 'reaches outside' "$HEDDLE" replay -q p.c ids
unharmed 'a replay'

# allowed NAME CALL: what stays in the process works, and is as the model has it.
allowed() {
    local status
    program "$2"
    timeout "$LIMIT" "$HEDDLE" check -q p.c >out 2>err </dev/null
    status=$?
    if [ "$status" = 0 ] && ! [ -s err ]; then pass "$1"; else fail "$1" "status $status $(first_lines err) $(first_lines out)"; fi
}
allowed 'asking for a process' 'if (kill(getppid(), 0) != 0) abort()'
allowed 'an ignored signal to itself' 'signal(SIGUSR1, SIG_IGN); kill(getpid(), SIGUSR1); kill(0, SIGUSR1); raise(SIGUSR1)'
allowed 'its own priority' 'if (setpriority(PRIO_PROCESS, 0, 1) != 0) abort()'
allowed 'its own limits' 'struct rlimit l; if (getrlimit(RLIMIT_NOFILE, &l) || setrlimit(RLIMIT_NOFILE, &l)) abort()'
allowed 'a file' 'int f = open("some", O_RDWR | O_CREAT, 0600); if (f < 0 || write(f, "x", 1) != 1 || close(f) || unlink("some")) abort()'
allowed 'pipes and sockets' 'int e[2]; if (pipe(e) || socketpair(AF_UNIX, SOCK_STREAM, 0, e)) abort()'
allowed 'the signal of its parent' 'if (prctl(PR_SET_PDEATHSIG, 0) != 0) abort()'

# Without seccomp there is a line, and the model still refuses.
cat >none.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct sock_filter code[] = {
        { BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr) },
        { BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_seccomp },
        { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS },
        { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW },
    };
    struct sock_fprog all = { 4, code };
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        return 99;
    execv(argv[1], argv + 1);
    return 98;
}
C
"clang-${LLVM:-19}" -o none none.c
program ''
timeout "$LIMIT" ./none "$HEDDLE" check -q p.c >out 2>err </dev/null
status=$?
if [ "$status" = 0 ] && [ "$(grep -c 'warning: the kernel has no filters' err)" = 1 ]; then
    pass 'no seccomp: one line'
else
    fail 'no seccomp: one line' "status $status $(first_lines err)"
fi
program "kill($other, SIGSTOP)"
timeout "$LIMIT" ./none "$HEDDLE" check -q p.c >out 2>err </dev/null
status=$?
if [ "$status" = 2 ] && grep -q 'p.c:14: kill() of another process' err; then
    pass 'no seccomp: the model refuses'
else
    fail 'no seccomp: the model refuses' "status $status $(first_lines err)"
fi
unharmed 'no seccomp'
