// Inline assembly that names its place and has no clobber "memory" touches nothing else: two orders.
// expect: verified
// orders: weak
// executions: 2
#include <assert.h>
#include <pthread.h>

static volatile int flag;
static int seen;

static void *set(void *unused)
{
    __asm__ volatile("movl $1, %0; nop" : "=m"(flag));
    return unused;
}

static void *look(void *unused)
{
    seen = __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen == 0 || seen == 1);
}
