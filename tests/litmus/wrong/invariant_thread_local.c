// An invariant sees main's thread-local variables, whoever has made the last step.
// expect: violation invariant
// also: --strategy optimal => violation invariant
// also: --strategy stateful => violation invariant
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine;

static int small(void) { return mine < 2; } /* violation */

static void *count(void *unused)
{
    mine = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_invariant(small);
    pthread_create(&t, NULL, count, NULL);
    mine = 2;
    pthread_join(t, NULL);
    return 0;
}
