// The GNU __sync and __atomic builtins are atomic.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int sum;
static unsigned bits;
static long swaps;
static short taken;

static void *work(void *bit)
{
    __sync_fetch_and_add(&sum, 3);
    __atomic_fetch_or(&bits, *(unsigned *)bit, __ATOMIC_SEQ_CST);
    long old = __sync_val_compare_and_swap(&swaps, 0, 1);
    if (old != 0)
        __sync_bool_compare_and_swap(&swaps, 1, 2);
    __atomic_add_fetch(&taken, 1, __ATOMIC_SEQ_CST);
    __sync_synchronize();
    return NULL;
}

int main(void)
{
    static unsigned first = 1, second = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, work, &first);
    pthread_create(&b, NULL, work, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 6 && bits == 3 && swaps == 2 && taken == 2);
    return 0;
}
