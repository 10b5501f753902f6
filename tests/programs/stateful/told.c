/* Threads that all run one function with one argument.  HOW says what each does with an address of its own:
 *
 *   0 to 9   it moves, follows or compares it for equality: the same whatever the address is
 *   20 to 45 it looks at it as a number, so that it may do something else in one thread than in another, or keeps
 *            it where heddle does not recognise it */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, seen;
static void *slot;
static uintptr_t word;
static _Atomic(void *) common;
static _Thread_local int own;
static void *between[2];
static struct __attribute__((packed)) {
    char odd;
    void *at;
} packed;
static _Thread_local int *own_at;

#if HOW == 44
uintptr_t top_of_stack(void);
__asm__(".text\ntop_of_stack: mov %rsp, %rax\n shr $30, %rax\n ret\n");
#endif

/* What the functions below move, or look at as numbers. */
#define LOCALS                                                                                   \
    int local = count, many[4] = { 0 };                                                          \
    void *at = &local, *block = malloc(8), *none = NULL;                                         \
    union {                                                                                      \
        void *pointer;                                                                           \
        int halves[2];                                                                           \
        double number;                                                                           \
    } both = { at };                                                                             \
    unsigned char *bytes = (unsigned char *)&at;                                                 \
    char text[40];                                                                               \
    uintptr_t number = 0;                                                                        \
    (void)many, (void)none, (void)bytes, (void)text, (void)both, (void)number;

static inline void move(void)
{
    LOCALS
#if HOW == 0
    seen = local;
#elif HOW == 1
    seen += slot == at;
    slot = at;
#elif HOW == 2
    memcpy(block, &local, 4);
    memcpy(&seen, block, 4);
#elif HOW == 3
    own = count;
    own_at = &own;
    seen = *own_at;
#elif HOW == 4
    seen = (int)(&many[2] - many);
#elif HOW == 5
    for (int *p = many; p < many + 4; p++)
        *p = count;
    seen = many[2];
#elif HOW == 6
    atomic_compare_exchange_strong(&common, &none, at);
    atomic_store(&common, NULL);
#elif HOW == 7
    seen = (char *)&count < (char *)&seen;
#elif HOW == 8
    errno = count;
    seen = errno;
#elif HOW == 9
    __asm__ volatile("lock; addl $0,0(%%rsp)\n\tpause" ::: "memory");
    __asm__ volatile("" ::: "memory");
    __asm__("add $3, %0" : "+r"(seen));
#endif
    free(block);
}

static inline void look(void)
{
    LOCALS
#if HOW == 20
    seen += slot && (char *)slot < (char *)at;
    slot = at;
#elif HOW == 21
    seen += word && word < (uintptr_t)at;
    word = (uintptr_t)at;
#elif HOW == 22
    seen = (int)((uintptr_t)at >> 20 & 7);
#elif HOW == 23
    printf("%p\n", at);
#elif HOW == 24
    seen += slot && (uintptr_t)slot < (uintptr_t)block;
    slot = block;
#elif HOW == 25
    seen = (int)((uintptr_t)&own >> 12 & 3);
#elif HOW == 26
    memcpy(&seen, &at, 4);
    seen &= 255;
#elif HOW == 27
    seen += slot && memcmp(&at, &slot, 8) < 0;
    slot = at;
#endif
    free(block);
}

static inline void look_at_bytes(void)
{
    LOCALS
#if HOW == 28
    seen = bytes[3];
#elif HOW == 29
    seen = both.halves[0];
#elif HOW == 30
    seen = both.number > 1e-310;
#elif HOW == 31
    seen = slot ? (int)((char *)at - (char *)slot) : 0;
    slot = at;
#elif HOW == 32
    snprintf(text, sizeof text, "%lx", (unsigned long)at);
    seen = text[5];
#elif HOW == 33
    fwrite(&at, 8, 1, stdout);
#elif HOW == 34
    word ^= (uintptr_t)at;
    seen = word > 5;
#elif HOW == 35
    seen = (int)((uintptr_t)__builtin_frame_address(0) >> 20);
#elif HOW == 36
    static int (*compare)(const void *, const void *, size_t) = memcmp;
    seen = slot ? compare(&at, &slot, 8) : 0;
    slot = at;
#elif HOW == 37
    packed.at = at;
    seen = packed.at == slot;
#elif HOW == 38
    memcpy((char *)between + 1, &at, 8);
    memcpy(&at, (char *)between + 1, 8);
    seen = at == slot;
#endif
    free(block);
}

static inline void ask(void)
{
    LOCALS
#if HOW == 39
    seen = (int)((uintptr_t)&errno >> 30);
#elif HOW == 40
    seen = (int)((uintptr_t)__builtin_thread_pointer() >> 30);
#elif HOW == 41
    __asm__("mov %%rsp, %0" : "=r"(number));
    seen = (int)(number >> 30);
#elif HOW == 42
    __asm__("mov %%fs:0, %0" : "=r"(number));
    seen = (int)(number >> 30);
#elif HOW == 43
    register uintptr_t top __asm__("rsp");
    __asm__ volatile("" : "=r"(top));
    seen = (int)(top >> 30);
#elif HOW == 44
    seen = (int)top_of_stack();
#elif HOW == 45
    seen = (int)((uintptr_t)strerror(count) >> 30);
#endif
    free(block);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
#if HOW < 20
    move();
#elif HOW < 28
    look();
#elif HOW < 39
    look_at_bytes();
#else
    ask();
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return count != 3;
}
