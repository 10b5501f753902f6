// Store buffering.  A membarrier of one thread stands for a fence in both: the other one has either stored before it,
// or loads after it.  A fence of one thread alone, or one more thread without either, does not help.
// case: BARRIER=1 => verified; 3
// case: BARRIER=2 => violation assertion
// case: BARRIER=1 memory=tso => verified; 3
// case: BARRIER=2 memory=tso => violation assertion
#define _GNU_SOURCE
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;
static int a, b;

static void *work(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    if (BARRIER == 1)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    else
        atomic_thread_fence(memory_order_seq_cst);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, 0);
    assert(a || b);
    return 0;
}
