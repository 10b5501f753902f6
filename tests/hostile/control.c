// Ways to go on elsewhere: jumps, signals, contexts, and registers that are not put back.
// cc-flags: -D_GNU_SOURCE -lm
// case 1 longjmp-dead-frame: violation crash
// case 2 longjmp-right: verified
// case 3 longjmp-other-thread: violation crash
// case 4 longjmp-never-set: violation crash
// case 5 contexts: verified | no-violation-found | refused
// case 6 context-garbage: violation crash | violation memory | refused
// case 7 handler-returns-to-fault: violation crash | violation no-progress | violation livelock | refused
// case 8 handler-jumps-out: verified | no-violation-found | refused
// case 9 handler-crashes: violation crash | violation no-progress | refused
// case 10 handler-aborts: violation abort
// case 11 ignore-segv: violation crash
// case 12 alternate-stack: violation crash | violation abort | verified | no-violation-found | refused
// case 13 alternate-stack-garbage: violation crash | verified | no-violation-found | refused
// case 14 direction-flag: violation crash | violation abort | violation memory | verified | no-violation-found
// case 15 saved-registers: verified | no-violation-found
// case 16 thread-pointer-zero: violation crash | refused | no-violation-found | verified
// case 17 thread-pointer-set: violation crash | refused | no-violation-found | verified
// case 18 guard-value: verified | no-violation-found | violation crash | violation abort
// case 19 rounding-mode: verified | no-violation-found
// case 20 raise-ignored: verified
// case 21 raise-fatal: violation abort | violation crash
// case 22 alarm: refused | violation abort | violation crash
// case 23 interval-timer: refused | verified | no-violation-found | violation abort | violation crash
// case 24 block-all-signals: violation crash
// case 25 smash-return: violation crash | violation memory | violation abort
// case 26 smash-far: violation crash | violation memory | violation abort
// case 27 pop-too-much: violation crash
// case 28 clock-of-processor: verified | no-violation-found | refused
// case 29 random-of-processor: verified | no-violation-found | refused
// case 30 syscall-instruction: verified | no-violation-found | refused
// case 31 exit-by-instruction: violation abort | refused | no-violation-found
// case 32 jump-into-middle: violation crash | violation no-progress | violation abort
// case 33 backtrace-of-garbage: violation crash | verified | no-violation-found
// case 34 exit-of-thread: verified
// case 35 nested-handlers: verified | no-violation-found
// case 36 sigreturn: violation crash | refused | violation abort
#include <execinfo.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static jmp_buf there;
static sigjmp_buf from_handler;
static ucontext_t mine, other;
static char *volatile name =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static volatile int *volatile at;
static volatile int n;

static int __attribute__((noinline)) sets(void) { return setjmp(there); }
static void __attribute__((noinline)) jumps(int depth)
{
    volatile char room[100];
    room[0] = 1;
    if (depth == 0)
        longjmp(there, 1);
    jumps(depth - 1);
    n += room[0];
}
static void returns(int number)
{
    (void)number;
    n++;
}
static void jumps_out(int number)
{
    (void)number;
    siglongjmp(from_handler, 1);
}
static void crashes(int number)
{
    (void)number;
    *(volatile int *)16 = 1;
}
static void aborts(int number)
{
    (void)number;
    abort();
}
static void raises(int number)
{
    if (number == SIGUSR1)
        raise(SIGUSR2);
    n++;
}
static void in_context(void) { n++; }
static void __attribute__((noinline)) smash(void)
{
    char text[8];
    strcpy(text, name);
    n += text[3];
}

static void *work(void *arg);

static void control_1(void)
{
#if V == 1
    if (sets() == 0)
        longjmp(there, 1);
#elif V == 2
    if (setjmp(there) == 0)
        jumps(10);
    else
        n = 7;
    if (n != 7)
        abort();
#elif V == 3
    jumps(0);
#elif V == 4
    static jmp_buf fresh;
    longjmp(fresh, 1);
#elif V == 5
    static char stack[65536];
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = sizeof stack;
    other.uc_link = &mine;
    makecontext(&other, in_context, 0);
    swapcontext(&mine, &other);
    if (n != 1)
        abort();
#elif V == 6
    memset(&other, 0x55, sizeof other);
    setcontext(&other);
#elif V == 7
    signal(SIGSEGV, returns);
    *at = 1;
#elif V == 8
    signal(SIGSEGV, jumps_out);
    if (sigsetjmp(from_handler, 1) == 0)
        *at = 1;
    else
        n = 3;
    if (n != 3)
        abort();
#elif V == 9
    signal(SIGSEGV, crashes);
    *at = 1;
#elif V == 10
    signal(SIGUSR1, aborts);
    raise(SIGUSR1);
#endif
}

static void control_2(void)
{
#if V == 11
    signal(SIGSEGV, SIG_IGN);
    *at = 1;
#elif V == 12 || V == 13
    static char stack[65536];
    stack_t s = { .ss_sp = V == 12 ? stack : (char *)64, .ss_size = sizeof stack };
    sigaltstack(&s, NULL);
    *at = 1;
#elif V == 14
    static char buffer[4096];
    __asm__ volatile("std");
    memset(buffer, 1, sizeof buffer);
    __asm__ volatile("cld");
    if (buffer[0] != 1 || buffer[4095] != 1)
        abort();
#elif V == 15
    __asm__ volatile(
        "mov $77, %%rbx; mov $77, %%r12; mov $77, %%r13; mov $77, %%r14; mov $77, %%r15"
        :
        :
        : "rbx", "r12", "r13", "r14", "r15");
#elif V == 16
    __asm__ volatile(
        "xor %%eax, %%eax; mov $158, %%eax; mov $0x1002, %%edi; xor %%esi, %%esi; syscall"
        :
        :
        : "rax", "rcx", "rdi", "rsi", "r11", "memory");
    n++;
#elif V == 17
    __asm__ volatile("mov $64, %%rax; wrfsbase %%rax" : : : "rax");
    n = *(volatile int *)&n + 1;
    free(malloc(10));
#elif V == 18
    __asm__ volatile("movq $1234, %%fs:40" : : : "memory");
    smash == 0 ? abort() : (void)0;
#elif V == 19
    fesetround(FE_UPWARD);
    volatile double third = 1.0 / 3;
    n = (int)third;
#elif V == 20
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
#elif V == 21
    raise(SIGTERM);
#elif V == 22
    alarm(1);
#endif
}

static void control_3(void)
{
#if V == 23
    struct itimerval soon = { { 0, 0 }, { 0, 1000 } };
    setitimer(ITIMER_REAL, &soon, NULL);
#elif V == 24
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    *at = 1;
#elif V == 25
    smash();
#elif V == 26
    volatile char near[16];
    volatile char *p = near;
    for (int i = 0; i < 4096; i++)
        p[i] = 0x41;
#elif V == 27
    __asm__ volatile("add $256, %rsp; ret");
#elif V == 28
    n = (int)__builtin_ia32_rdtsc() * 0;
#elif V == 29
    unsigned r;
    __asm__ volatile("rdrand %0" : "=r"(r));
    n = (int)r * 0;
#elif V == 30
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(39l) : "rcx", "r11", "memory");
    n = (int)r * 0;
#elif V == 31
    __asm__ volatile("syscall" : : "a"(231l), "D"(5l) : "rcx", "r11", "memory");
#elif V == 32
    ((void (*)(void))((uintptr_t)work + 3))();
#elif V == 33
    void *frames[8];
    backtrace(frames, 8);
#elif V == 34
    pthread_exit((void *)at);
#elif V == 35
    signal(SIGUSR1, raises);
    signal(SIGUSR2, raises);
    raise(SIGUSR1);
    if (n != 2)
        abort();
#elif V == 36
    __asm__ volatile("mov $15, %eax; syscall");
#endif
}

static void *work(void *arg)
{
    at = (int *)8;
    control_1();
    control_2();
    control_3();
    return arg;
}

int main(void)
{
    pthread_t t;
    if (V == 3)
        sets();
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
