// Two bit-fields of one storage unit: writing one re-writes the other.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned a : 3, b : 5;
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
    assert(flags.a == 5 && flags.b == 17); /* violation */
    return 0;
}
