// One thread writes the low half, another the high half twice; the read that comes first is not of
// interest.  After it both threads are to be explored, also the second one without the first.
// expect: violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy optimal --finer observers => violation assertion
// also: --strategy source => violation assertion
// also: --strategy optimal -j 2 => violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint64_t both;
    uint32_t half[2];
} x;

static void *low(void *unused)
{
    __atomic_store_n(&x.half[0], 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *high(void *unused)
{
    __atomic_store_n(&x.half[1], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&x.half[1], 2, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, low, NULL);
    pthread_create(&threads[1], NULL, high, NULL);
    uint64_t both = __atomic_load_n(&x.both, __ATOMIC_SEQ_CST);
    heddle_assume(both != 0);
    assert(both != 2ull << 32);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
