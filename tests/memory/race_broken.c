// The step of a plain store also fails an assertion.  With --keep-going the others go on without it, and its
// races are reported, too.
//
// options: --keep-going
//
// HOW=1: main's store races with another thread's, which comes later in the search.  HOW=2: the step with the other store fails, too.
// HOW=3: main makes its store after it has read `flag`, which the other thread sets after its own.
// HOW=4: a compare-exchange that fails does not write, and does not race with a plain load; HOW=5: one that succeeds does.
// HOW=6: the other compare-exchange reads the same store as the one whose step fails.  Only one of them can succeed, and whoever
// fails reads what the other stored.  HOW=7: the other thread stores instead, which the compare-exchange may come before.
// HOW=8: the other thread adds before its plain load and after it.  The compare-exchange, whose step always fails, may come between the
// two additions, and races with the load then.
// case: HOW=1 => violation assertion data-race
// case: HOW=2 => violation assertion data-race
// case: HOW=3 R=acquire => violation assertion
// case: HOW=3 R=relaxed => violation assertion data-race
// case: HOW=4 => violation assertion
// case: HOW=5 => violation assertion data-race
// case: HOW=6 => violation assertion
// case: HOW=7 => violation assertion data-race
// case: HOW=8 => violation assertion data-race
// case: HOW=1 memory=sc => violation assertion data-race
// case: HOW=2 memory=sc => violation assertion data-race
// case: HOW=3 memory=sc R=acquire => violation assertion
// case: HOW=3 memory=sc R=relaxed => violation assertion data-race
// case: HOW=4 memory=sc => violation assertion
// case: HOW=5 memory=sc => violation assertion data-race
// case: HOW=6 memory=sc => violation assertion
// case: HOW=7 memory=sc => violation assertion data-race
// case: HOW=8 memory=sc => violation assertion data-race
#include "orders.h"

static atomic_int flag, exchanged;
static int x;

static void *other(void *unused)
{
#if HOW == 6
    int zero = 0;
    atomic_compare_exchange_strong(&exchanged, &zero, 1);
#elif HOW == 7
    store(exchanged, 1, memory_order_relaxed);
#elif HOW == 8
    atomic_fetch_add(&exchanged, 1);
#endif
#if HOW >= 4
    x = *(int *)&exchanged;
#else
    x = 2;
#endif
    assert(HOW != 2);
    if (HOW == 8)
        atomic_fetch_add(&exchanged, 1);
    store(flag, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int expected = HOW == 4 || HOW == 8, result = HOW == 8 ? 2 : HOW == 4;
    pthread_create(&thread, NULL, other, NULL);
#if HOW >= 4
    assert(atomic_compare_exchange_strong(&exchanged, &expected, 5) == result);
#else
    if (HOW != 3 || load(flag, R)) {
        x = 1;
        assert(expected || result);
    }
#endif
    pthread_join(thread, NULL);
}
