// Dekker's algorithm of plain moves with a fence between them.
// expect: verified
// orders: weak
#include <assert.h>
#include <pthread.h>

#ifdef STACK
#define FENCE "lock; addl $0,0(%%rsp); "
#else
#define FENCE "mfence; "
#endif
static int wants[2], inside;

static void *work(void *other)
{
    int *theirs = other, *mine = &wants[theirs == &wants[0]], busy;
    __asm__ volatile("movl $1,%1; " FENCE "movl %2,%0"
                     : "=r"(busy), "=m"(*mine)
                     : "m"(*theirs)
                     : "memory");
    if (!busy) {
        assert(__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST) == 0);
        __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &wants[0]);
    work(&wants[1]);
    pthread_join(t, 0);
    return 0;
}
