// The value that breaks it is chosen inside a section; the other thread must come before it.
// expect: violation assertion
// also: --strategy brute => violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy source => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy dpor-stateful => violation assertion
// also: --strategy hybrid => violation assertion
// also: --strategy scale => violation assertion
// also: --strategy optimal -j 2 => violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x, y;

static void *choose(void *unused)
{
    heddle_atomic_begin();
    y = heddle_choose(3);
    int seen = x;
    heddle_atomic_end();
    assert(!(seen == 1 && y == 2)); /* violation */
    return unused;
}

static void __VERIFIER_atomic_set(void) { x = heddle_choose(2); }

static void *set(void *unused)
{
    __VERIFIER_atomic_set();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, choose, NULL);
    pthread_create(&threads[1], NULL, set, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
