// Memory: too much of it, what is not the program's, and lengths that have gone wrong.
// cc-flags: -D_GNU_SOURCE
// case 1 huge-memset-right: verified
// case 2 huge-calloc-right: verified
// case 3 malloc-everything: verified
// case 4 malloc-until-null: no-violation-found
// case 5 many-blocks: verified
// case 6 memset-minus-one: violation memory
// case 7 memcpy-half: violation memory
// case 8 memset-global-too-long: violation crash | violation memory
// case 9 memset-stack-too-long: violation crash | violation memory
// case 10 double-free: violation memory
// case 11 free-inside: violation memory
// case 12 free-stack: violation memory
// case 13 realloc-freed: violation memory
// case 14 realloc-huge: verified
// case 15 alloca-too-large: violation crash
// case 16 variable-array-too-large: violation crash
// case 17 write-own: violation memory
// case 18 read-own: violation memory
// case 19 write-log: violation memory
// case 20 unmap-own: violation memory
// case 21 unmap-code: violation crash | violation no-progress | refused
// case 22 unmap-stack: violation memory | violation crash | refused
// case 23 protect-code: violation crash
// case 24 protect-data: no-violation-found | refused
// case 25 map-over-own: violation memory
// case 26 map-over-heap: violation memory
// case 27 advise-own: violation memory
// case 28 remap-garbage: verified | no-violation-found | refused
// case 29 brk: verified | no-violation-found | refused
// case 30 heap-off-by-one: violation memory
// case 31 heap-far: violation memory
// case 32 heap-before: violation memory
// case 33 other-stack: violation memory
// case 34 string-without-end: violation memory
// case 35 search-without-end: violation memory
// case 36 sprintf-overflow: violation memory
// case 37 strcat-overflow: violation memory
// case 38 posix-memalign-odd: verified
// case 39 mmap-all: no-violation-found
// case 40 fill-and-free: verified
// case 41 wide-length-overflow: violation memory
// case 42 fread-overflow: violation memory | violation crash
// case 43 large-struct-copies: verified
// case 44 huge-global: verified
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#define MIB (1024ul * 1024)
static volatile size_t minus = SIZE_MAX, half = SIZE_MAX / 2, most = INT_MAX, three = 3;
static char *volatile at;
static char global[64];
static int *volatile of_other;
#if V == 44
static char enormous[64 * MIB];
#endif
struct large {
    char bytes[MIB];
};
static struct large *first, *second;

static void *local(void *arg)
{
    int mine = 1;
    of_other = &mine;
    return arg;
}

static void act(void);

static void act_1(char *b)
{
    char here[64] = { 0 };
#if V == 1
    char *p = malloc(256 * MIB);
    memset(p, 1, 256 * MIB);
    free(p);
#elif V == 2
    char *p = calloc(256, MIB);
    if (p[255 * MIB])
        abort();
    free(p);
#elif V == 3
    if (malloc(minus) || malloc(half) || calloc(half, half) || calloc(minus, 2))
        abort();
#elif V == 4
    int n = 0;
    while (n < 1000 && malloc(512 * MIB))
        n++;
    if (n == 1000)
        abort();
#elif V == 5
    for (int i = 0; i < 20000; i++)
        *(int *)malloc(8) = i;
#elif V == 6
    memset(b, 0, minus);
#elif V == 7
    memcpy(b, global, half);
#elif V == 8
    memset(global, 0, most);
#elif V == 9
    at = here;
    memset(at, 0, most);
#elif V == 10
    free(b);
    free(b);
#elif V == 11
    free(b + 8);
#elif V == 12
    at = here;
    free(at);
#elif V == 13
    at = b;
    free(b);
    b = realloc(at, 100);
#elif V == 14
    if (realloc(b, half))
        abort();
#elif V == 15
    char *p = __builtin_alloca(most);
    p[0] = 1;
    at = p;
#endif
}

static void act_2(char *b)
{
    char here[64] = { 0 };
#if V == 16
    volatile char p[most];
    p[0] = 1;
    at = (char *)p;
#elif V == 17
    at = (char *)0x010000001000;
    *at = 1;
#elif V == 18
    at = (char *)0x012000000000;
    global[0] = *at;
#elif V == 19
    at = (char *)0x014000000000;
    memset(at, 0, 100);
#elif V == 20
    munmap((void *)0x014000000000, MIB);
#elif V == 21
    munmap((void *)((uintptr_t)act & ~4095ul), 4096);
#elif V == 22
    munmap((void *)((uintptr_t)here & ~4095ul), 4096);
#elif V == 23
    mprotect((void *)((uintptr_t)act & ~4095ul), 4096, PROT_READ);
#elif V == 24
    mprotect((void *)((uintptr_t)global & ~4095ul), 4096, PROT_READ);
    global[0] = 1;
#elif V == 25
    mmap((void *)0x010000000000, 4096, PROT_READ | PROT_WRITE,
         MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif V == 26
    mmap((void *)((uintptr_t)b & ~4095ul), 4096, PROT_READ,
         MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif V == 27
    madvise((void *)0x014000000000, MIB, MADV_DONTNEED);
#elif V == 28
    mremap((void *)0x123000, 4096, 8192, MREMAP_MAYMOVE);
#elif V == 29
    sbrk(1 << 20);
#elif V == 30
    b[16 + three - 3] = 1;
#elif V == 31
    b[most] = 1;
#elif V == 32
    b[-1 - (long)three] = 1;
#elif V == 33
    pthread_t t;
    pthread_create(&t, NULL, local, NULL);
    pthread_join(t, NULL);
    *of_other = 2;
#endif
}

static void act_3(char *b)
{
    char here[64] = { 0 };
#if V == 34
    memset(b, 'x', 16);
    global[0] = (char)strlen(b);
#elif V == 35
    at = rawmemchr(b, 1);
#elif V == 36
    sprintf(b, "%d %s", 123456, b + three);
#elif V == 37
    strcat(b, "too much");
#elif V == 38
    void *p;
    if (!posix_memalign(&p, 3, 8) || !posix_memalign(&p, 0, 8))
        abort();
#elif V == 39
    int n = 0;
    while (n < 1000 && mmap(NULL, 512 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                            -1, 0) != MAP_FAILED)
        n++;
    if (n == 1000)
        abort();
#elif V == 40
    for (int i = 0; i < 20; i++) {
        char *p = malloc(8 * MIB);
        memset(p, i, 8 * MIB);
        if (p[7 * MIB] != i)
            abort();
        free(p);
    }
#elif V == 41
    wmemset((wchar_t *)b, 0, half / 2 + 2);
#elif V == 42
    if (fread(b, half, 3, stdin) > 3)
        abort();
#elif V == 43
    first = malloc(sizeof *first);
    second = malloc(sizeof *second);
    memset(first, 5, sizeof *first);
    *second = *first;
    if (second->bytes[MIB - 1] != 5)
        abort();
#elif V == 44
    memset(enormous, 1, sizeof enormous);
    if (enormous[40 * MIB] != 1)
        abort();
#endif
}

static void act(void)
{
    char *b = malloc(16);
    strcpy(b, "abcdefghijklmno");
    act_1(b);
    act_2(b);
    act_3(b);
}

static void *work(void *arg)
{
    act();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
