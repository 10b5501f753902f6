// Peterson's algorithm with sequentially consistent atomics; a thread that would wait gives up.
// expect: verified
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
    turn = (int)other;
    if (!wants[other] || turn == me) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
    }
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, (void *)(intptr_t)0);
    pthread_create(&b, NULL, enter, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
