/* A reader of a sequence lock looks at the number before it reads, and not after. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, a, b;

static void *write_both(void *unused)
{
    sequence++;
    a = 1;
    b = 1;
    sequence++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_both, NULL);
    int before = sequence;
    int x = a, y = b;
    if (before % 2 == 0)
        assert(x == y);
    pthread_join(t, NULL);
}
