// Peterson's algorithm with the turn written before the wish: both may enter.
// expect: violation assertion data-race
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
    turn = (int)other;
    wants[me] = 1;
    if (!wants[other] || turn == me) {
        assert(inside == 0); /* violation */
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
