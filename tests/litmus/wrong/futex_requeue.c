// No thread wakes the waiter that was moved to the second futex.
// expect: violation deadlock
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint first, second;

static void *waiter(void *unused)
{
    syscall(SYS_futex, &first, FUTEX_WAIT, 0, NULL, NULL, 0); /* violation */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    atomic_store(&first, 1);
    syscall(SYS_futex, &first, FUTEX_REQUEUE, 1, (long)INT_MAX, &second, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
