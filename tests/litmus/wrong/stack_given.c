// A thread that is given a stack runs all the same.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static char stack[1 << 20] __attribute__((aligned(4096)));
static bool ran;

static void *work(void *unused)
{
    ran = true;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    pthread_create(&t, &attributes, work, NULL);
    pthread_join(t, NULL);
    assert(!ran); /* violation */
    return 0;
}
