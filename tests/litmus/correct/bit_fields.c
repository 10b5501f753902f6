// Two bit-fields in storage units of their own.
// expect: verified
// executions: 1
// (different bytes)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned char a : 3;
    unsigned char : 0;
    unsigned char b : 5;
} flags;

static void *set_a(void *unused)
{
    flags.a = 5;
    return unused;
}

static void *set_b(void *unused)
{
    flags.b = 17;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set_a, NULL);
    pthread_create(&b, NULL, set_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags.a == 5 && flags.b == 17);
    return 0;
}
