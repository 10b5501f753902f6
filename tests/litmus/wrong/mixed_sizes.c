// A word is written in two halves: the reader of the whole may see one half only.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    uint64_t whole;
    uint32_t halves[2];
} cell;

static void *work(void *unused)
{
    cell.halves[0] = 1;
    cell.halves[1] = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    uint64_t seen = cell.whole;
    assert(seen == 0 || seen == (UINT64_C(1) << 32 | 1)); /* violation */
    pthread_join(t, NULL);
    return 0;
}
