// Instructions whose results no schedule determines, and on which nothing depends here.
// expect: no-violation-found
// cc-flags: -DHOW=0
// (other values of HOW are in tests/cli/verdict.sh)
#include <cpuid.h>
#include <pthread.h>
#include <x86intrin.h>

static void *run(void *arg)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
#if HOW == 0
    __asm__ volatile("rdtsc" : "=a"(a), "=d"(d));
#elif HOW == 1
    a = (unsigned)__rdtsc();
#elif HOW == 2
    a = (unsigned)__rdtscp(&b);
#elif HOW == 3
    __cpuid(0, a, b, c, d);
#elif HOW == 4
    a = (unsigned)__builtin_readcyclecounter();
#elif HOW == 5
    __asm__ volatile("nop\n\t.byte 0x0f, 0x31" : "=a"(a), "=d"(d));
#else
    __asm__("addl %1, %0" : "+r"(a) : "r"(b));
#endif
    return a + b + c + d == 17 ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
