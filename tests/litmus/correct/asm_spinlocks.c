// Spinlocks of inline assembly, with each atomic instruction of x86 that one can be made of.
// The other ways (HOW) are tried in tests/cli/assembly.sh.
// expect: verified
// orders: weak
#ifndef HOW
#define HOW 0
#endif
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define ASM __asm__ volatile
static int lock;
static long data[2];
static _Alignas(16) struct {
    unsigned long low, high;
} pair;

/* One attempt of each of two threads: no more than one has the lock at a time. */
static bool try_lock(void)
{
    unsigned char got;
    int value = 1;
#if HOW == 0
    ASM("xchgl %0,%1" : "+r"(value), "+m"(lock)::"memory");
    return value == 0;
#elif HOW == 1
    ASM("lock; cmpxchgl %3,%1; sete %0" : "=q"(got), "+m"(lock) : "a"(0), "r"(1) : "memory");
#elif HOW == 2
    ASM("lock cmpxchgl %2,%1" : "=@ccz"(got), "+m"(lock) : "r"(value), "a"(0) : "memory");
#elif HOW == 3
    ASM("lock btsl $0,%1; setnc %0" : "=q"(got), "+m"(lock)::"memory");
#elif HOW == 4
    bool carry;
    ASM("lock; btcl $0,%1" : "=@ccc"(carry), "+m"(lock)::"memory");
    got = !carry;
    if (!got)
        ASM("lock; xorl $1,%0" : "+m"(lock)::"memory");
#elif HOW == 5
    ASM("lock; incl %0" : "+m"(lock)::"memory");
    ASM("lock; decl %0; setz %1" : "+m"(lock), "=q"(got)::"memory");
    value = 1;
    ASM("lock; xaddl %0,%1" : "+r"(value), "+m"(lock)::"memory");
    if (value)
        ASM("lock; subl $1,%0" : "+m"(lock)::"memory");
    return value == 0;
#elif HOW == 6
    ASM("lock; addl $1,%0; setz %1" : "+m"(lock), "=q"(got)::"memory");
    ASM("lock; orl $0,%0" : "+m"(lock)::"memory");
    ASM("lock; andl $-1,%0" : "+m"(lock)::"memory");
    ASM("lock; decl %0; setnz %1" : "+m"(lock), "=q"(got)::"memory");
    ASM("lock; btsl %2,%1; sbbl %0,%0" : "=r"(value), "+m"(lock) : "r"(0) : "memory");
    return value == 0;
#else
    unsigned long low = 0, high = 0;
    ASM("lock; cmpxchg16b %1; setz %0" : "=q"(got), "+m"(pair), "+a"(low), "+d"(high) : "b"(1ul),
        "c"(2ul) : "memory");
#endif
    return got;
}

static void unlock(void)
{
#if HOW == 3
    ASM("lock btrl $0,%0" : "+m"(lock)::"memory");
#elif HOW == 4 || HOW == 5
    ASM("lock; decl %0" : "+m"(lock)::"memory");
#elif HOW == 7
    unsigned long low = 1, high = 2;
    ASM("lock; cmpxchg16b %0" : "+m"(pair), "+a"(low), "+d"(high) : "b"(0ul),
        "c"(0ul) : "memory");
#else
    ASM("movl $0,%0" : "=m"(lock)::"memory");
#endif
}

static void *work(void *mine)
{
    if (try_lock()) {
        data[0]++;
        data[1]++;
        assert(data[0] == data[1]);
        unlock();
    }
    ASM("pause; lfence; sfence; rep; nop" :: : "memory");
    return mine;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
