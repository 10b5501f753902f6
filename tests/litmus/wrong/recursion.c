// expect: violation crash
// A recursion that ends too late for the stack.
#include <pthread.h>

static int __attribute__((noinline)) depth(volatile int *levels)
{
    volatile int inner = *levels - 1;
    return *levels <= 0 ? 0 : 1 + depth(&inner);
}

static void *work(void *arg)
{
    volatile int levels = 100000000;
    depth(&levels);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
