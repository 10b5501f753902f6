// A thread is given a stack, which heddle does not use: the result says so.
// expect: no-violation-found
#include <pthread.h>
#include <stddef.h>

static char stack[1 << 20] __attribute__((aligned(4096)));

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    pthread_create(&t, &attributes, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
