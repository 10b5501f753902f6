// Needs the writer to be interrupted between its writes and the reader between its reads.
// expect: violation assertion
// also: --preemptions 1 => no-violation-found
// also: --preemptions 2 => violation assertion
// also: --strategy chess:1 => no-violation-found
// also: --strategy chess:2 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *write_twice(void *unused)
{
    x = 1;
    x = 2;
    return unused;
}

static void *read_twice(void *unused)
{
    int first = x;
    int second = x;
    assert(first != 1 || second != 2); /* violation */
    return unused;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, write_twice, NULL);
    pthread_create(&r, NULL, read_twice, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
