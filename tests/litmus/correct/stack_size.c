// A thread that asks for a larger stack gets one.
// expect: verified
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int deep(int n)
{
    volatile char frame[65536];
    memset((char *)frame, n, sizeof frame);
    return n ? deep(n - 1) + frame[9] : 0;
}

static void *work(void *unused)
{
    deep(800);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 20);
    pthread_create(&t, &attr, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
