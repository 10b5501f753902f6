// Two threads write a variable each; main reads both after joining them.
// expect: verified
// executions: 1
// (nothing that one thread does depends on the other: one trace)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int a, b;

static void *set_a(void *unused)
{
    a = 1;
    return unused;
}

static void *set_b(void *unused)
{
    b = 2;
    return unused;
}

int main(void)
{
    pthread_t ta, tb;
    assert(pthread_create(&ta, NULL, set_a, NULL) == 0);
    assert(pthread_create(&tb, NULL, set_b, NULL) == 0);
    assert(pthread_join(ta, NULL) == 0);
    assert(pthread_join(tb, NULL) == 0);
    assert(a + b == 3);
    return 0;
}
