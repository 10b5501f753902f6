// An atomic load and an atomic store are no atomic addition, at any size.
// expect: violation assertion
// cc-flags: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic __int128 sixteen;

static void *work(void *unused)
{
    sixteen = sixteen + ((__int128)1 << 64);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sixteen == (__int128)2 << 64); /* violation */
    return 0;
}
