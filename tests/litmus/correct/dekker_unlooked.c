// Store buffering with volatile: under sequential consistency one of the two reads 1, on every real machine both may
// read 0.  A check that does not look for races must not call it verified.
// expect: no-violation-found
// options: --races off
// also: --races off --strategy stateful => no-violation-found
// also: --races warn => no-violation-found
// also: --races volatile-ok => violation assertion
// also: => violation data-race
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2;

static void *a(void *arg)
{
    x = 1;
    r1 = y;
    return arg;
}

static void *b(void *arg)
{
    y = 1;
    r2 = x;
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, a, NULL);
    pthread_create(&u, NULL, b, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(r1 || r2);
    return 0;
}
