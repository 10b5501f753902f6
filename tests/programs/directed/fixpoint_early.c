/* main reads between the two threads that it makes.  Slice-n-dice has all three threads in its abstraction at its fixpoint, and does
 * not reach the assertion: what happens before all of them exist happens in one way (docs/directed.md). */
#include <assert.h>
#include <pthread.h>

static _Atomic int a;
static int seen;

static void *sets(void *unused)
{
    a = 1;
    a = 2;
    return unused;
}

static void *checks(void *unused)
{
    if (seen == 1)
        assert(!"reached");
    return unused;
}

int main(void)
{
    pthread_t setter, checker;
    pthread_create(&setter, NULL, sets, NULL);
    seen = a;
    pthread_create(&checker, NULL, checks, NULL);
    pthread_join(setter, NULL);
    pthread_join(checker, NULL);
    return 0;
}
