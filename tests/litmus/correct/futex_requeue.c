// One is woken, the other goes to the second queue and is woken there.
// expect: verified
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint first, second;

static void *waiter(void *unused)
{
    syscall(SYS_futex, &first, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(atomic_load(&first) == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    atomic_store(&first, 1);
    long n = syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE, 1, (long)INT_MAX, &second, 1);
    assert(n >= 0 && n <= 2);
    long m = syscall(SYS_futex, &second, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    assert(m == (n == 2));
    assert(syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE, 1, (long)INT_MAX, &second, 0) == -1);
    assert(errno == EAGAIN);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
