// What the verdict names is counted where it is reached, and nowhere else.
//! info outside getchar
//! info outside fgets
//! info outside rand
//! info outside time
//! info uncontrolled rdtsc
//! info uncontrolled rdtscp
//! info uncontrolled cpuid
//! info uncontrolled readcyclecounter
//! info uncontrolled .byte
//! lines info outside 4
//! lines info uncontrolled 5
//! info weak 1
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

static atomic_int a;
static int (*draw)(void) = rand; /* reached through a pointer */

int main(int argc, char **argv)
{
    unsigned n = 0, lo, hi;
    char line[8];
    FILE *own = fopen(argv[0], "r");
    getchar();
    n += fgets(line, sizeof line, stdin) != NULL;
    n += own && fgets(line, sizeof line, own) != NULL; /* a file is no standard input */
    n += (unsigned)draw();
    n += (unsigned)time(NULL);
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    __asm__ volatile("movl $1, %%eax\n\tcpuid" : "=a"(n) : : "ebx", "ecx", "edx");
    __asm__ volatile(".byte 0x0f, 0x31" : "=a"(lo), "=d"(hi));
    n += (unsigned)__rdtscp(&hi);
    n += (unsigned)__builtin_readcyclecounter();
    atomic_store_explicit(&a, (int)n, memory_order_relaxed);
    if (argc > 5) { /* never reached */
        n += (unsigned)random();
        __asm__ volatile("rdrand %0" : "=r"(n));
        atomic_store_explicit(&a, (int)n, memory_order_release);
        n += (unsigned)getc(stdin);
    }
    return 0;
}
