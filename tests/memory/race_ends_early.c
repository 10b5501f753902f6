// A plain load of half a variable races with a store of all of it, and its step fails an assertion if it comes first.  Such a load is
// no event: what it reads depends on the order of execution.  In the graph in which the attempt to lock comes before main's lock the
// thread reads before the store, and fails before it comes to the attempt.  That graph is left out, and the search ends.
//
// options: --keep-going
// case: HOW=1 memory=sc => violation assertion data-race
// case: HOW=1 => violation assertion data-race
// case: HOW=2 memory=sc => violation assertion data-race
// case: HOW=2 => violation assertion data-race
#include "orders.h"
#include <stdint.h>

static union {
    uint64_t whole;
    uint32_t half[2];
} x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
    assert(x.half[0]);
    if (HOW == 2 || pthread_mutex_trylock(&mutex) == 0) {
        if (HOW == 2)
            pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&mutex);
    x.whole = 0x100000001;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
