// A word is written at once and read byte by byte.
// expect: no-violation-found
// options: --races off
// also: --races off --reduce not-seen => no-violation-found
// executions: 3
// (one write before, between or after two reads of single bytes)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint8_t bytes[4];
} cell;

static void *work(void *unused)
{
    cell.word = 0x04030201;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    uint8_t low = cell.bytes[0];
    uint8_t high = cell.bytes[3];
    pthread_join(t, NULL);
    assert((low == 0 || low == 1) && (high == 0 || high == 4));
    assert(low == 0 || high == 4);
    return 0;
}
