// The invariant is registered when the two writes are over, and holds from then on.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy source => verified
// also: --strategy inspect => verified
// also: --strategy scale => verified
// also: --strategy stateful => verified
// also: --strategy hybrid => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static int y_first(void) { return !(x == 1 && y == 0); }

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
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_create(&c, NULL, watch, NULL);
    pthread_join(c, NULL);
    return 0;
}
