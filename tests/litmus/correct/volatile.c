// Volatile accesses are accesses, each of them.
// expect: no-violation-found
// options: --races off
// also: --races off --reduce not-seen => no-violation-found
// also: --races warn => no-violation-found
// also: --races volatile-ok => verified
// also: --races warn,volatile-ok => verified
// also: --races volatile-ok --memory sc => no-violation-found
// also: => violation data-race
// executions: 3
// (one write before, between or after two reads)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int flag;

static void *work(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int first = flag;
    int second = flag;
    assert(first <= second);
    pthread_join(t, NULL);
    return 0;
}
