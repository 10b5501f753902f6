// Two threads increment a counter without a mutex: an update may be lost.
// expect: violation assertion data-race
// also: --reduce none => violation assertion data-race
// also: --search dfs:5 => violation assertion data-race
// also: --search random:1 --executions 1000 => violation assertion data-race
// also: --strategy chess:1 => violation assertion data-race
// also: --preemptions 0 => violation data-race
// also: --races off --preemptions 0 => no-violation-found
// also: --races off => violation assertion
// also: --races warn => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *work(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); /* violation */
    return 0;
}
