// The transfer is one step: the invariant holds in every state.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy scale => verified
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int here = 60, there = 40;

static int nothing_lost(void) { return here + there == 100; }

static void *transfer(void *unused)
{
    heddle_atomic_begin();
    here -= 10;
    there += 10;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    heddle_invariant(nothing_lost);
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, transfer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
