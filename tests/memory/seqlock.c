// A seqlock (Boehm, MSPC 2012): one writer, and a reader that tries once, or (LOOP=1) until it is
// undisturbed.  A reader that saw new data must see the odd number (F1 and F2); a reader that saw
// the even number must see all of the data (W and R).
// case: LOOP=0 F1=release W=release R=acquire F2=acquire => verified
// case: LOOP=1 F1=release W=release R=acquire F2=acquire => verified
// case: LOOP=0 W=release R=acquire F2=acquire => violation assertion
// case: LOOP=0 F1=release W=relaxed R=acquire F2=acquire => violation assertion
// case: LOOP=0 F1=release W=release R=relaxed F2=acquire => violation assertion
// case: LOOP=0 F1=release W=release R=acquire => violation assertion
#include "orders.h"

static atomic_int number, d1, d2;

static void *write(void *unused)
{
    store(number, 1, memory_order_relaxed);
    fence(F1);
    store(d1, 1, memory_order_relaxed);
    store(d2, 1, memory_order_relaxed);
    store(number, 2, W);
    return unused;
}

static void *read(void *unused)
{
    int before, after, a, b;
    do {
        before = load(number, R);
        a = load(d1, memory_order_relaxed);
        b = load(d2, memory_order_relaxed);
        fence(F2);
        after = load(number, memory_order_relaxed);
    } while (LOOP && (before % 2 || before != after));
    if (before % 2 == 0 && before == after)
        never(a != b);
    return unused;
}

int main(void) { run(write, read); }
