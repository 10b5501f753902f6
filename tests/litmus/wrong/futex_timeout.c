// The program assumes that a second is enough.
// expect: violation assertion
// also: --no-timeouts => no-violation-found
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *producer(void *unused)
{
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    struct timespec second = { 1, 0 };
    pthread_create(&a, NULL, producer, NULL);
    syscall(SYS_futex, &ready, FUTEX_WAIT, 0, &second, NULL, 0);
    assert(atomic_load(&ready) == 1); /* violation */
    pthread_join(a, NULL);
    return 0;
}
