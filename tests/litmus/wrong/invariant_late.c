// The invariant holds from its registration on, which a thread makes beside the others: it is broken if that comes
// between the two writes, which touch different bytes.
// expect: violation invariant
// also: --strategy optimal => violation invariant
// also: --strategy source => violation invariant
// also: --strategy inspect => violation invariant
// also: --strategy scale => violation invariant
// also: --strategy stateful => violation invariant
// also: --strategy hybrid => violation invariant
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static int y_first(void) { return !(x == 1 && y == 0); } /* violation */

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

static void *watch(void *unused)
{
    heddle_invariant(y_first);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, write_y, NULL);
    pthread_create(&b, NULL, write_x, NULL);
    pthread_create(&c, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
