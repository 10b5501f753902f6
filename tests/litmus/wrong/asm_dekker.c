// Dekker's algorithm of plain moves: the processor may load before its earlier store is visible.
// expect: violation assertion
// options: --memory auto
// also: --memory sc => no-violation-found
#include <assert.h>
#include <pthread.h>

static int wants[2], inside;

static void *work(void *other)
{
    int *theirs = other, *mine = &wants[theirs == &wants[0]], busy;
    __asm__ volatile("movl $1,%1; "
                     "movl %2,%0"
                     : "=r"(busy), "=m"(*mine)
                     : "m"(*theirs)
                     : "memory");
    if (!busy) {
        assert(__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST) == 0); /* violation */
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
