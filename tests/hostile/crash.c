// A thread that crashes in every way there is; another one goes on, so that the exploration does, too.
// options: --keep-going
// cc-flags: -D_GNU_SOURCE -lm
// case 1 read-null: violation crash
// case 2 write-null: violation crash
// case 3 write-odd-address: violation crash
// case 4 write-across-words: violation crash
// case 5 read-no-address: violation crash
// case 6 write-no-address: violation crash
// case 7 write-constant: violation crash
// case 8 write-code: violation crash
// case 9 call-null: violation crash
// case 10 call-low: violation crash
// case 11 call-data: violation crash
// case 12 call-heap: violation crash
// case 13 call-no-address: violation crash
// case 14 divide: violation crash
// case 15 divide-overflow: violation crash
// case 16 abort: violation abort
// case 17 trap: violation crash
// case 18 unreachable: violation crash
// case 19 breakpoint: violation crash
// case 20 privileged: violation crash
// case 21 return-anywhere: violation crash
// case 22 lose-stack: violation crash
// case 23 alignment-check: violation crash
// case 24 kernel-address: violation crash
// case 25 last-address: violation crash
// case 26 raise-segv: violation crash | violation abort
// case 27 raise-kill: violation crash | violation abort | refused
// case 28 illegal-instruction: violation crash
// case 29 copy-from-null: violation crash
// case 30 copy-struct-null: violation crash
// case 31 atomic-null: violation crash
// case 32 lock-null: violation crash
// case 33 lock-garbage: violation crash | violation memory | violation misuse
// case 34 vector-misaligned: violation crash
// case 35 string-of-null: violation crash
// case 36 print-bad-string: violation crash
// case 37 free-garbage: violation memory
// case 38 exception-flag: violation crash
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int values[64], n;
static char *volatile at;
static volatile int zero, minus = -1;
struct large {
    long word[40];
} large;
#define TO(address) (at = (char *)(address))

static void crash(void);

static void crash_1(void)
{
#if V == 1
    values[0] = *(int *)TO(0);
#elif V == 2
    *(int *)TO(0) = 1;
#elif V == 3
    *(int *)TO(2) = 1;
#elif V == 4
    *(long *)TO(6) = 1;
#elif V == 5
    values[0] = *(int *)TO(0x6c756e2800636261);
#elif V == 6
    *(int *)TO(0x6c756e2800636261) = 1;
#elif V == 7
    *TO("text") = 1;
#elif V == 8
    *TO(crash) = 1;
#elif V == 9
    ((void (*)(void))0)();
#elif V == 10
    ((void (*)(void))TO(8))();
#elif V == 11
    ((void (*)(void))TO(values))();
#elif V == 12
    ((void (*)(void))TO(malloc(4000)))();
#elif V == 13
    ((void (*)(void))TO(0x6c756e2800636261))();
#elif V == 14
    values[0] = values[1] / zero;
#elif V == 15
    values[0] = INT_MIN / minus;
#elif V == 16
    abort();
#elif V == 17
    __builtin_trap();
#elif V == 18
    __builtin_unreachable();
#elif V == 19
    __asm__ volatile("int3");
#elif V == 20
    __asm__ volatile("hlt");
#elif V == 21
    __asm__ volatile("mov $0x123456, %rax; push %rax; ret");
#endif
}

static void crash_2(void)
{
#if V == 22
    __asm__ volatile("xor %esp, %esp; push %rax");
#elif V == 23
    __asm__ volatile("pushf; orl $0x40000, (%%rsp); popf; movl 1(%0), %%eax"
                     :
                     : "r"(values)
                     : "rax");
#elif V == 24
    values[0] = *TO(0xffffffff81000000);
#elif V == 25
    *TO(-1l) = 1;
#elif V == 26
    raise(SIGSEGV);
#elif V == 27
    raise(SIGKILL);
#elif V == 28
    __asm__ volatile("ud2");
#elif V == 29
    memcpy(values, TO(8), sizeof values);
#elif V == 30
    large = *(struct large *)TO(16);
#elif V == 31
    atomic_fetch_add((atomic_int *)TO(12), 1);
#elif V == 32
    pthread_mutex_lock((pthread_mutex_t *)TO(0));
#elif V == 33
    pthread_mutex_lock((pthread_mutex_t *)TO(0x123456789));
#elif V == 34
    __asm__ volatile("movaps %%xmm0, 1(%0)" : : "r"(values) : "memory");
#elif V == 35
    values[0] = (int)strlen(TO(0));
#elif V == 36
    printf("%s\n", TO(24));
#elif V == 37
    free(TO(values));
#elif V == 38
    feenableexcept(FE_DIVBYZERO);
    volatile double a = 1, b = 0, c = a / b;
    (void)c;
#endif
}

static void crash(void)
{
    crash_1();
    crash_2();
}

static void tick(void)
{
    pthread_mutex_lock(&mutex);
    n++;
    pthread_mutex_unlock(&mutex);
}

static void *breaks(void *arg)
{
    tick();
    crash();
    return arg;
}

static void *goes_on(void *arg)
{
    tick();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, breaks, NULL);
    pthread_create(&b, NULL, goes_on, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
