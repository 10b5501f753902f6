// A failed assumption is a step of its own: main may read x between the write and the assumption.
// expect: violation assertion
// also: --strategy brute => violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy source => violation assertion
// also: --strategy inspect => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy hybrid => violation assertion
// also: --strategy dpor-stateful => violation assertion
// also: --strategy scale => violation assertion
// also: --strategy optimal -j 2 => violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *give_up(void *unused)
{
    x = 1;
    heddle_assume(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, give_up, NULL);
    assert(x == 0); /* violation */
    pthread_join(thread, NULL);
    return 0;
}
