// Two writes of two threads touch different bytes, and the invariant is broken between them in one order only.
// It reads both, so the two writes are dependent, and every reduction tries both orders.
// expect: violation invariant
// also: --reduce none => violation invariant
// also: --reduce sleep => violation invariant
// also: --strategy hybrid => violation invariant
// also: --strategy dpor-stateful => violation invariant
// also: --strategy scale => violation invariant
// also: --strategy optimal => violation invariant
// also: --strategy source => violation invariant
// also: --strategy inspect => violation invariant
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static int x_first(void) { return !(y == 1 && x == 0); } /* violation */

static void *write_x(void *unused)
{
    x = 1;
    return unused;
}

static void *write_y(void *unused)
{
    y = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    heddle_invariant(x_first);
    pthread_create(&a, NULL, write_x, NULL);
    pthread_create(&b, NULL, write_y, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
