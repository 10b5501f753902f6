// A wake reaches those whose bits it has.
// expect: verified
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word, woken[3];

static void *waiter(void *bits)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, (unsigned)(uintptr_t)bits);
    atomic_store(&woken[(uintptr_t)bits], 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, (void *)1);
    pthread_create(&b, NULL, waiter, (void *)2);
    if (syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, 1) == 1)
        assert(!atomic_load(&woken[2]));
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 2, NULL, NULL, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
