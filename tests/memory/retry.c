// Loops that retry and hand a variable on to the next iteration.  A thread that comes back to a
// state that it has been in, with nothing but loads in between, stands still: so there are
// finitely many executions.
//
// SHAPE=1: who locks second may first read 0 (the initial value), 1 (locked) or 0 (unlocked).  Its
// compare-exchange then reads the unlock; in the case of 1 another load reads that before.  Every
// other way through the loop comes back to a value of `seen` with which the loop has begun.  So
// there are 3 executions for each of the 2 orders of the threads.
// SHAPE=2: the loop has another one in it and hands its variable on by address.
// SHAPE=3: nobody unlocks.
// SHAPE=4 and 5: the plain read of an iteration that finds nothing races with what another thread
// does when it has seen that the loop is over.
// SHAPE=6: the same, ordered.
// SHAPE=7: an iteration that finds nothing writes to a variable of its own thread.
//
// case: SHAPE=1 A=acquire B=release => verified; 6
// case: SHAPE=1 A=relaxed B=release => violation data-race
// case: SHAPE=1 A=acquire B=relaxed => violation data-race
// case: SHAPE=2 A=acquire B=release => verified
// case: SHAPE=2 A=acquire B=relaxed => violation data-race
// case: SHAPE=3 A=acquire B=release => violation livelock
// case: SHAPE=4 A=relaxed B=relaxed => violation data-race
// case: SHAPE=5 A=relaxed B=relaxed => violation data-race
// case: SHAPE=6 A=acquire B=release => verified
// case: SHAPE=7 A=acquire B=release => verified
#include "orders.h"

static atomic_int state, done, over;
static int data, seen_once;
static _Thread_local int tries;

static void lock(void)
{
    int seen = load(state, memory_order_relaxed);
    for (;;) {
        if (seen != 0) {
            seen = load(state, memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&state, &seen, 1, A, memory_order_relaxed))
            return;
    }
}

static int attempt(int *expected)
{
    return atomic_compare_exchange_strong_explicit(&state, expected, 1, A, memory_order_relaxed);
}

static void lock_by_attempts(void)
{
    int expected = 0;
    while (!attempt(&expected)) {
        while (load(state, memory_order_relaxed))
            ;
        expected = 0;
    }
}

static void lock_and_note(void)
{
    for (;;) {
        int expected = 0;
        tries = 1;
        if (attempt(&expected))
            break;
        tries = expected;
    }
    assert(tries == 1);
}

static void *user(void *unused)
{
    if (SHAPE == 2)
        lock_by_attempts();
    else if (SHAPE == 7)
        lock_and_note();
    else
        lock();
    data++;
    if (SHAPE != 3)
        store(state, 0, B);
    return unused;
}

static void *waiter(void *unused)
{
#if SHAPE == 5
    while (!load(done, memory_order_relaxed))
        (void)*(volatile int *)&data;
#else
    for (;;) {
        if (load(done, memory_order_relaxed))
            break;
        if (data)
            seen_once = 1;
    }
#endif
    store(over, 1, B);
    return unused;
}

static void *writer(void *unused)
{
    store(done, 1, memory_order_relaxed);
    if (load(over, A))
        data = 1;
    return unused;
}

int main(void)
{
    if (SHAPE >= 4 && SHAPE <= 6)
        run(waiter, writer);
    else
        run(user, user);
    assert((SHAPE >= 3 && SHAPE <= 6) || data == 2);
}
