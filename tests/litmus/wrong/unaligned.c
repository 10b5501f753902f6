// Writes of two overlapping unaligned ranges: the middle byte belongs to whoever came last.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static unsigned char bytes[8];

static void *work(void *unused)
{
    int ones = 0x01010101;
    memcpy(&bytes[1], &ones, sizeof ones);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int twos = 0x02020202;
    memcpy(&bytes[4], &twos, sizeof twos);
    pthread_join(t, NULL);
    assert(bytes[3] == 1 && bytes[5] == 2);
    assert(bytes[4] == 1); /* violation */
    return 0;
}
