// Without lock an instruction that changes memory is a load and a store: both threads get the lock.
// The other ways (HOW) are tried in tests/cli/assembly.sh.
// expect: violation assertion
#ifndef HOW
#define HOW 0
#endif
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define ASM __asm__ volatile
static int lock;
static long inside;

static bool try_lock(void)
{
    unsigned char got;
    int value = 1;
#if HOW == 0
    ASM("movl %1,%0; movl $1,%1" : "=&r"(value), "+m"(lock)::"memory");
    return value == 0;
#elif HOW == 1
    ASM("btsl $0,%1; setnc %0" : "=q"(got), "+m"(lock)::"memory");
#elif HOW == 2
    ASM("incl %1; cmpl $1,%1; sete %0" : "=q"(got), "+m"(lock)::"memory");
#else /* the load and the exchange are atomic, together they are not */
    ASM("testl $-1,%1; sete %0" : "=q"(got) : "m"(lock) : "memory");
    if (got)
        ASM("xchgl %0,%1" : "+r"(value), "+m"(lock)::"memory");
#endif
    return got;
}

static void *work(void *mine)
{
    if (try_lock()) {
        __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
        assert(__atomic_load_n(&inside, __ATOMIC_SEQ_CST) == 1); /* violation */
        __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
    }
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
