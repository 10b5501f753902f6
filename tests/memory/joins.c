// What a join orders, and what it does not.
//
// HOW=1: only the thread that stores x is joined.  x is 1 then; y may be 0 even if the other thread has ended.
// HOW=2: both are joined: nothing else can be read.
// HOW=3: the joined thread has read y, 0 or 1, and returns it.
// HOW=4: a thread that has joined the one that stores x publishes y.  Who reads y = 1 reads x = 1.
// HOW=5: main ends before the others, and nobody joins them.  T2 reads x, 0 or 1.
// case: HOW=1 NOT=2 => verified; 2
// case: HOW=1 NOT=0 => violation assertion
// case: HOW=1 NOT=1 => violation assertion
// case: HOW=1 NOT=2 memory=tso => verified; 2
// case: HOW=1 NOT=0 memory=tso => violation assertion
// case: HOW=1 NOT=2 memory=sc => no-violation-found; 2
// case: HOW=2 NOT=0 => verified; 1
// case: HOW=2 NOT=0 memory=tso => verified; 1
// case: HOW=3 NOT=2 => verified; 2
// case: HOW=3 NOT=0 => violation assertion
// case: HOW=3 NOT=1 => violation assertion
// case: HOW=4 NOT=2 => verified; 2
// case: HOW=5 NOT=2 => verified; 2
// case: HOW=5 NOT=1 => violation assertion
#include "orders.h"

#define relaxed memory_order_relaxed

static atomic_int x, y;
static pthread_t first, second;

static void *one(void *unused)
{
    (void)unused;
    store(x, 1, relaxed);
    return (void *)(long)(HOW == 3 ? load(y, relaxed) : 0);
}

static void *two(void *unused)
{
    if (HOW == 4)
        pthread_join(first, 0);
    if (HOW == 5)
        assert(load(x, relaxed) != NOT);
    else
        store(y, 1, memory_order_release);
    return unused;
}

int main(void)
{
    void *result = 0;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    if (HOW == 5)
        pthread_exit(0);
    if (HOW == 4) {
        assert(!load(y, memory_order_acquire) || load(x, relaxed) == 1);
        pthread_join(second, 0);
        return 0;
    }
    pthread_join(first, HOW == 3 ? &result : 0);
    if (HOW != 1)
        pthread_join(second, 0);
    assert(load(x, relaxed) == 1);
    assert(load(y, relaxed) != NOT || HOW == 3);
    assert((long)result != NOT || HOW != 3);
    if (HOW == 1)
        pthread_join(second, 0);
}
