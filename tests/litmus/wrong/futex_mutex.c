// The mark that somebody waits is lost: the one who unlocks wakes nobody.
// expect: violation deadlock
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state; /* 0 free, 1 taken, 2 taken and waited for */
static int counter;

static void lock(void)
{
    int c = 0;
    if (atomic_compare_exchange_strong(&state, &c, 1))
        return;
    if (c != 2)
        c = atomic_exchange(&state, 1);
    while (c != 0) {
        syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0); /* violation */
        c = atomic_exchange(&state, 1);
    }
}

static void unlock(void)
{
    if (atomic_fetch_sub(&state, 1) != 1) {
        atomic_store(&state, 0);
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void *worker(void *unused)
{
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
