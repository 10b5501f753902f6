// Before main, and instead of it.
// cc-flags: -D_GNU_SOURCE
// case 1 no-main: refused
// case 2 empty: refused
// case 3 main-is-a-variable: refused
// case 4 constructor-crash: violation crash | refused
// case 5 constructor-thread: verified
// case 6 constructor-loop: violation no-progress | refused | no-violation-found
// case 7 constructor-exit: violation abort | refused
// case 8 constructor-abort: violation abort | refused
// case 9 destructor-crash: violation crash
// case 10 main-returns-7: violation abort
// case 11 main-recursive: verified
// case 12 main-recursive-endless: violation crash
// case 13 no-thread: verified | no-violation-found
// case 14 crash-before-thread: violation crash
// case 15 crash-after-threads: violation crash
// case 16 undefined-function: refused
// case 17 assertion-in-main: violation assertion
// case 18 exit-0-in-constructor: verified | no-violation-found | refused
// case 19 syntax-error: refused
// case 20 large-frame-in-main: verified
// case 21 weak-function-missing: violation crash
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n;
static volatile int zero;
static void *nothing(void *arg) { return arg; }
static void thread(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
}
void missing(void);
void __attribute__((weak)) weak(void);

__attribute__((constructor)) static void before(void)
{
#if V == 4
    *(volatile int *)8 = 1;
#elif V == 5
    thread();
    n = 5;
#elif V == 6
    while (!zero)
        ;
#elif V == 7
    exit(3);
#elif V == 8
    abort();
#elif V == 18
    exit(0);
#endif
}

__attribute__((destructor)) static void behind(void)
{
#if V == 9
    *(volatile int *)8 = 1;
#endif
}

#if V == 3
int main = 5;
#elif V > 2
int main(int argc, char **argv)
{
#if V == 5
    if (n != 5)
        abort();
#elif V == 10
    thread();
    return 7;
#elif V == 11
    thread();
    return argc == 10 ? 0 : main(argc + 1, argv);
#elif V == 12
    volatile char room[1000];
    room[0] = 1;
    return main(argc, argv) + room[0];
#elif V == 14
    *(volatile int *)8 = 1;
    thread();
#elif V == 15
    thread();
    *(volatile int *)8 = 1;
#elif V == 16
    missing();
#elif V == 17
    thread();
    assert(zero == 1);
#elif V == 19
    this is no program
#elif V == 20
    volatile char room[4 << 20];
    room[0] = 1;
    thread();
#elif V == 21
    thread();
    weak();
#elif V != 13
    thread();
#endif
    return 0;
}
#endif
