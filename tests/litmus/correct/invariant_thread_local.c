// The same, and only the other thread's variable becomes large: the invariant sees main's.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine;

static int small(void) { return mine < 2; }

static void *count(void *unused)
{
    mine = 3;
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_invariant(small);
    pthread_create(&t, NULL, count, NULL);
    mine = 1;
    pthread_join(t, NULL);
    return 0;
}
