// Atomic additions of 1, 2, 4, 8 and 16 bytes lose nothing.
// expect: verified
// cc-flags: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint8_t one;
static _Atomic uint16_t two;
static _Atomic uint32_t four;
static _Atomic uint64_t eight;
static _Atomic __int128 sixteen;

static void *work(void *unused)
{
    one += 255;
    two += 65535;
    four -= 1;
    eight ^= UINT64_C(1) << 63;
    sixteen += (__int128)1 << 64 | 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(one == 254 && two == 65534 && four == UINT32_MAX - 1 && eight == 0);
    assert(sixteen == ((__int128)2 << 64 | 2));
    return 0;
}
