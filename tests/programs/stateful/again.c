/* A program that hybrid explores in two passes.  In the first, `looks` reads `late` alone while nobody is
 * known to touch it, and comes back to the state in which it began to look: that node has been left
 * when `ends` comes to `late`.  The run in which the assertion fails leads through that node alone: `mode`
 * has to be 1 when it is read, and `late` to be written before it is.
 *
 * MANY: … with so many turns before that the first pass is not young any more (explore/states/persistent_set.c). */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef MANY
#define MANY 1
#endif

static atomic_int mode, late, turns;

static void *looks(void *unused)
{
    for (;;) {
        int now = atomic_load(&mode);
        if (now == 2)
            return unused;
        if (now == 1)
            assert(atomic_load(&late) == 0);
        else
            (void)heddle_choose(MANY);
        atomic_store(&turns, 1);
        atomic_store(&turns, 0);
    }
}

static void *ends(void *unused)
{
    atomic_store(&mode, 1);
    atomic_store(&mode, 2);
    atomic_store(&late, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, looks, 0);
    pthread_create(&b, 0, ends, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
