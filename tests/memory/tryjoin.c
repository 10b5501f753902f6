// Joins that do not wait: the end of a thread is released to who joins it; a call that fails is a relaxed load, and
// orders nothing.
// HOW=1: success orders all that the thread did.  The call fails, and the load reads either store, or it succeeds
// and the load reads the newer one: 3.
// HOW=2: the same with a limit.  HOW=3: a call that fails after the flag was seen: nothing orders the end before it, so
// it may fail though the thread has stored all that it stores; data that is not ordered is a race.
// HOW=4: a loop of attempts is a join.  HOW=5: a thread that has been joined by the first attempt is joined again.
// HOW=6: store buffering between the end and a flag: a failed attempt does not order the load after it, also on
// x86, where it is no barrier.
// case: HOW=1 => verified; 3
// case: HOW=1 memory=tso => verified; 3
// case: HOW=2 => verified; 3
// case: HOW=3 S=release L=acquire => verified
// case: HOW=3 S=release => violation data-race
// case: HOW=3 L=acquire => violation data-race
// case: HOW=4 => verified
// case: HOW=4 memory=tso => verified
// case: HOW=5 => violation misuse
// case: HOW=6 => violation assertion
// case: HOW=6 memory=tso => violation assertion
#define _GNU_SOURCE
#include "orders.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

static atomic_int x, y;
static int data, seen = 1;

static void *one(void *unused)
{
#if HOW == 3
    data = 1;
    store(x, 1, S);
#elif HOW == 6
    seen = load(y, memory_order_relaxed);
#else
    data = 1;
    store(x, 1, memory_order_relaxed);
#endif
    return unused;
}

int main(void)
{
    static const struct timespec limit = { 1, 0 };
    pthread_t thread;
    (void)limit;
    pthread_create(&thread, NULL, one, NULL);
#if HOW == 1
    int late = pthread_tryjoin_np(thread, NULL);
#elif HOW == 2
    int late = pthread_timedjoin_np(thread, NULL, &limit);
    assert(late == 0 || late == ETIMEDOUT);
#elif HOW == 3
    int ready = load(x, L);
    int late = pthread_tryjoin_np(thread, NULL);
    if (ready)
        assert(data == 1);
#elif HOW == 4
    while (pthread_tryjoin_np(thread, NULL) == EBUSY)
        sched_yield();
    int late = 0;
#elif HOW == 5
    pthread_tryjoin_np(thread, NULL);
    int late = EBUSY;
#elif HOW == 6
    store(y, 1, memory_order_relaxed);
    int late = pthread_tryjoin_np(thread, NULL);
#endif
#if HOW == 6
    if (late)
        pthread_join(thread, NULL);
    assert(!late || seen == 1);
#else
    int value = load(x, memory_order_relaxed);
    if (late)
        pthread_join(thread, NULL);
    else
        assert(value == 1 && data == 1);
#endif
    return 0;
}
