// Every execution ends where an assumption does not hold: nothing was looked at, and nothing is verified.
// expect: no-violation-found
// also: --strategy stateful => no-violation-found
// also: --strategy brute => no-violation-found
// also: --strategy scale => no-violation-found
// also: -j 2 => no-violation-found
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *arg)
{
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    atomic_fetch_add(&x, 1);
    pthread_join(t, NULL);
    heddle_assume(x == 3);
    assert(0);
    return 0;
}
