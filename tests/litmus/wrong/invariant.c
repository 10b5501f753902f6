// Between the two writes of a transfer money is missing.
// expect: violation invariant
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int here = 60, there = 40;

static int nothing_lost(void) { return here + there == 100; }

static void *transfer(void *unused)
{
    here -= 10;
    there += 10;
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_invariant(nothing_lost);
    pthread_create(&t, NULL, transfer, NULL);
    pthread_join(t, NULL);
    return 0;
}
