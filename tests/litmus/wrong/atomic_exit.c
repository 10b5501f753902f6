// The process ends inside an atomic section.  What the other thread would have done next can come before.
// expect: violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy source => violation assertion
// also: --reduce dpor => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy brute => violation assertion
// also: --strategy optimal -j 2 => violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *end(void *unused)
{
    heddle_atomic_begin();
    if (heddle_choose(2))
        exit(0);
    exit(0);
    return unused;
}

static void *look(void *unused)
{
    x = 1;
    sched_yield();
    assert(x == 0); /* violation */
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, end, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    x = 2;
    return 0;
}
