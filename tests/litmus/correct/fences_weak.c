// Fences of any order among sequentially consistent atomics change nothing.
// expect: verified
// executions: 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused)
{
    x = 1;
    atomic_thread_fence(memory_order_release);
    seen_y = y;
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    atomic_thread_fence(memory_order_acq_rel);
    seen_x = x;
    atomic_thread_fence(memory_order_acquire);
    return unused;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(seen_x || seen_y);
    return 0;
}
