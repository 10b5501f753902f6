// Dekker's entry with a busy wait: endless executions exist, so a search over executions needs a
// bound.  There are finitely many states, and the algorithm is right: a search over states says so.
// expect: no-violation-found
// options: --strategy optimal --depth 34
// also: --strategy stateful => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int wants[2];
static atomic_int turn;
static int inside;

static void *enter(void *arg)
{
    intptr_t me = (intptr_t)arg, other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    turn = (int)other;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, (void *)(intptr_t)1);
    enter((void *)(intptr_t)0);
    pthread_join(t, NULL);
    return 0;
}
