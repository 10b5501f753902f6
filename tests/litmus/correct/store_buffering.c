// Under sequential consistency at least one of two crossed reads sees the other's write.
// expect: verified
// executions: 3
// (two conflicting pairs, 2 x 2 orders, less the cyclic one)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused)
{
    x = 1;
    seen_y = y;
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    seen_x = x;
    return unused;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(seen_x || seen_y);
    return 0;
}
