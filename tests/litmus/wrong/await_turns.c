// Loops that look like waiting, but a turn leaves something behind for the next.  The first is left after an odd
// number of turns in some executions.  The second exchanges a word of its own, and its second turn ends it.
// expect: violation assertion
// options: --strategy optimal --depth 60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *writer(void *unused)
{
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, writer, NULL);
    int seen = ready, odd = 0;
    while (!seen) {
        odd = !odd;
        seen = ready;
    }
    atomic_int own = 0;
    while (atomic_exchange(&own, 1) == 0)
        ;
    assert(own == 1 && !odd); /* violation */
    pthread_join(one, NULL);
    return 0;
}
