// A futex wait: its load of the word must not be older than what happens before an earlier wake, so no
// wake-up is lost.  Nothing else is ordered.
// HOW=1: a thread stores and wakes.  The wait reads the store and returns, or it sleeps before the
// wake: 2.  HOW=2: with a time limit the wait may also end before the wake: 3.  HOW=3: the wake comes before the
// store, and nobody wakes a thread that sleeps after it.
// HOW=4: the word is what publishes data; futexes do not order it.
// HOW=5: one thread stores, another one that has seen a flag wakes.  If nothing orders the
// store before the wake, the wait may sleep after the wake and still have read the older value.
// HOW=6: a wake of one is not enough for two threads that sleep.  HOW=7: a wake of all is.
// HOW=11: a wake of two is not enough for three, HOW=12: it is for two.
// HOW=13: a wake of all with the masks of both reaches both, HOW=14: with the mask of one it does not reach
// the other.  HOW=15: a wake with another mask does nothing, then comes the store, then a wake with the mask: the thread
// sleeps before the first wake, or between the two, or it reads the store: 3.
// HOW=8: a woken thread has learnt nothing: it may read the older value of other data.
// HOW=9: the same thread waits again; its second wait must know of the first wake, and of what
// happens before it.  HOW=10: a wait that finds another value does not sleep, and nobody is woken.
// case: HOW=1 => verified; 2
// case: HOW=2 => verified; 3
// case: HOW=3 => violation deadlock
// case: HOW=4 S=release L=acquire => verified
// case: HOW=4 S=release => violation data-race
// case: HOW=4 L=acquire => violation data-race
// case: HOW=5 S=release L=acquire => verified
// case: HOW=5 S=release => violation deadlock
// case: HOW=5 L=acquire => violation deadlock
// case: HOW=6 => violation deadlock
// case: HOW=7 => verified
// case: HOW=8 => violation assertion
// case: HOW=9 => verified
// case: HOW=10 => verified; 1
// case: HOW=11 => violation deadlock
// case: HOW=12 => verified
// case: HOW=13 => verified
// case: HOW=14 => violation deadlock
// case: HOW=15 => verified; 3
// TSO: the calls are barriers, and stores are seen in the order of their thread.
// case: HOW=1 memory=tso => verified; 2
// case: HOW=2 memory=tso => verified; 3
// case: HOW=3 memory=tso => violation deadlock
// case: HOW=4 memory=tso => verified
// case: HOW=5 memory=tso => verified
// case: HOW=6 memory=tso => violation deadlock
// case: HOW=7 memory=tso => verified
// case: HOW=8 memory=tso => verified
// case: HOW=9 memory=tso => verified
// case: HOW=10 memory=tso => verified; 1
// case: HOW=11 memory=tso => violation deadlock
// case: HOW=12 memory=tso => verified
// case: HOW=13 memory=tso => verified
// case: HOW=14 memory=tso => violation deadlock
// case: HOW=15 memory=tso => verified; 3
#define _GNU_SOURCE
#include "orders.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word, flag, other;
static int data;

static long wait_for(int value, const struct timespec *limit)
{
    return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, limit, NULL, 0);
}

static void wake(int count)
{
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

#if HOW <= 3
static void *tell(void *unused)
{
    if (HOW < 3)
        store(word, 1, memory_order_relaxed);
    wake(1);
    if (HOW == 3)
        store(word, 1, memory_order_relaxed);
    return unused;
}

static void *hear(void *unused)
{
    static const struct timespec limit = { 1, 0 };
    wait_for(0, HOW == 2 ? &limit : NULL);
    return unused;
}

int main(void) { run(tell, hear); }
#elif HOW == 4
static void *tell(void *unused)
{
    data = 1;
    store(word, 1, S);
    wake(1);
    return unused;
}

static void *hear(void *unused)
{
    while (load(word, L) == 0)
        wait_for(0, NULL);
    assert(data == 1);
    return unused;
}

int main(void) { run(tell, hear); }
#elif HOW == 5
static void *begin(void *unused)
{
    store(word, 1, memory_order_relaxed);
    store(flag, 1, S);
    return unused;
}

static void *tell(void *unused)
{
    while (load(flag, L) == 0) {}
    wake(1);
    return unused;
}

static void *hear(void *unused)
{
    wait_for(0, NULL);
    return unused;
}

int main(void) { run(begin, tell, hear); }
#elif HOW >= 13
static void wake_masked(int count, unsigned mask)
{
    syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, count, NULL, NULL, mask);
}

static void *tell(void *unused)
{
    if (HOW == 15)
        wake_masked(1, 1);
    store(word, 1, memory_order_relaxed);
    wake_masked(INT_MAX, HOW == 13 ? 3 : HOW == 14 ? 1 : 2);
    return unused;
}

static void *hear(void *mask)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (unsigned)(long)mask);
    return mask;
}

static void *hear_one(void *unused)
{
    hear((void *)1);
    return unused;
}

static void *hear_two(void *unused)
{
    hear((void *)2);
    return unused;
}

int main(void)
{
#if HOW == 15
    run(tell, hear_two);
#else
    run(tell, hear_one, hear_two);
#endif
}
#elif HOW <= 7 || HOW >= 11
static void *tell(void *unused)
{
    store(word, 1, memory_order_relaxed);
    wake(HOW == 6 ? 1 : HOW == 7 ? INT_MAX : 2);
    return unused;
}

static void *hear(void *unused)
{
    wait_for(0, NULL);
    return unused;
}

int main(void)
{
#if HOW == 11
    run(tell, hear, hear, hear);
#else
    run(tell, hear, hear);
#endif
}
#elif HOW == 8
static void *tell(void *unused)
{
    store(other, 1, memory_order_relaxed);
    store(word, 1, memory_order_relaxed);
    wake(1);
    return unused;
}

static void *hear(void *unused)
{
    if (wait_for(0, NULL) == 0)
        assert(load(other, memory_order_relaxed) == 1);
    return unused;
}

int main(void) { run(tell, hear); }
#elif HOW == 9
static void *tell(void *unused)
{
    store(word, 1, memory_order_relaxed);
    wake(1);
    return unused;
}

static void *hear(void *unused)
{
    if (wait_for(0, NULL) == 0)
        assert(wait_for(0, NULL) == -1); /* otherwise it sleeps for ever */
    return unused;
}

int main(void) { run(tell, hear); }
#else
static void *tell(void *unused)
{
    wake(1);
    return unused;
}

static void *hear(void *unused)
{
    assert(wait_for(5, NULL) == -1);
    return unused;
}

int main(void) { run(tell, hear); }
#endif
