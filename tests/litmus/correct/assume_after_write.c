// The same with an assumption that main makes true.  Nobody sees x in an execution that is cut: main looks
// only after the join, which never comes after a failed assumption, and its waiting is no deadlock.
// One trace is complete: main writes y before T reads it.
// expect: verified
// executions: 1
// also: --strategy brute => verified
// also: --strategy stateful => verified
// also: --strategy hybrid => verified
// also: --strategy dpor-stateful => verified
// also: --strategy scale => verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *give_up(void *unused)
{
    x = 1;
    heddle_assume(y == 1);
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, give_up, NULL);
    y = 1;
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
