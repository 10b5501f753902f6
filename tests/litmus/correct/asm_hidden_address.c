// Assembly that is not understood adds to a variable through a pointer in a register, and does not say so by the
// clobber "memory".  Two threads may lose an update: that is not looked at, and named.
// expect: no-violation-found
#include <pthread.h>
#include <stddef.h>

static int n;

static void *work(void *unused)
{
    __asm__ volatile("addl $1,(%0); jno 2f; 2:" : : "r"(&n) : "cc");
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
