// Threads move from one futex to another.
// HOW=1: two threads wait; one thread stores, wakes one of them, moves the other, and wakes at the second
// futex.  HOW=2: it does not wake there: a thread that was moved sleeps for ever.
// HOW=3: one thread stores, another one that has seen a flag moves those who wait and wakes them.  If nothing orders
// the store before the requeue, the wait may sleep after the requeue and still have read the older value.
// HOW=4: what comes before an operation on one futex need not be known to a wait at the other.
// HOW=5: what comes before a requeue must be known to a wait at the second futex, too.
// HOW=6: a requeue that compares does not move anybody after one that has seen the store, and who was moved
// before is woken at the second futex.
// HOW=7: the thread does not sleep, because the word holds another value; two requeues of two others on other
// futexes are done in any order, which is three operations, two of them in one thread: 3.
// case: HOW=1 => verified
// case: HOW=2 => violation deadlock
// case: HOW=3 S=release L=acquire => verified
// case: HOW=3 S=release => violation deadlock
// case: HOW=3 L=acquire => violation deadlock
// case: HOW=4 => violation deadlock
// case: HOW=5 => verified
// case: HOW=6 => verified
// case: HOW=7 => verified; 3
// case: HOW=1 memory=tso => verified
// case: HOW=2 memory=tso => violation deadlock
// case: HOW=3 memory=tso => verified
// case: HOW=4 memory=tso => verified
// case: HOW=5 memory=tso => verified
// case: HOW=6 memory=tso => verified
// case: HOW=7 memory=tso => verified; 3
#define _GNU_SOURCE
#include "orders.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, other, flag;

/* The operation is known only from the calls of this function. */
static long futex(atomic_int *at, int operation, int value, atomic_int *to, int compared)
{
    return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value,
                   to ? (void *)(long)INT_MAX : NULL, to, compared);
}

#define WAIT(at) futex(at, FUTEX_WAIT, 0, NULL, 0)
#define WAKE(at) futex(at, FUTEX_WAKE, INT_MAX, NULL, 0)
#define STORE(at, value) atomic_store_explicit(at, value, memory_order_relaxed)

#if HOW == 1 || HOW == 2
static void *one(void *unused)
{
    WAIT(&word);
    return unused;
}
static void *two(void *unused) { return one(unused); }
static void last(void)
{
    STORE(&word, 1);
    long n = futex(&word, FUTEX_CMP_REQUEUE, 1, &other, 1);
    assert(n >= 0 && n <= 2);
    if (HOW == 1)
        assert(WAKE(&other) == (n == 2));
}
#elif HOW == 3
static void *one(void *unused)
{
    STORE(&word, 1);
    atomic_store_explicit(&flag, 1, S);
    return unused;
}
static void *two(void *unused)
{
    WAIT(&word);
    return unused;
}
static void last(void)
{
    while (!atomic_load_explicit(&flag, L))
        ;
    futex(&word, FUTEX_REQUEUE, 0, &other, 0);
    WAKE(&other);
}
#elif HOW == 4 || HOW == 5
static void *one(void *unused)
{
    STORE(&word, 1);
    if (HOW == 4)
        WAKE(&other);
    else
        futex(&other, FUTEX_REQUEUE, 1, &word, 0);
    STORE(&flag, 1);
    return unused;
}
static void *two(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        if (HOW == 5) /* now it comes after the requeue */
            futex(&word, FUTEX_WAKE, 0, NULL, 0), WAKE(&word);
        WAIT(&word);
    }
    return unused;
}
static void last(void)
{
    if (HOW == 4 && atomic_load_explicit(&flag, memory_order_relaxed) == 2)
        futex(&other, FUTEX_REQUEUE, 1, &word, 0); /* never, but all futexes are one object */
}
#elif HOW == 6
static void *one(void *unused)
{
    STORE(&word, 1);
    WAKE(&word);
    return unused;
}
static void *two(void *unused)
{
    WAIT(&word);
    return unused;
}
static void last(void)
{
    futex(&word, FUTEX_CMP_REQUEUE, 0, &other, 0);
    if (futex(&word, FUTEX_CMP_REQUEUE, 0, &other, 0) < 0) /* the store is there */
        assert(futex(&word, FUTEX_CMP_REQUEUE, 0, &other, 0) < 0);
    WAKE(&other);
}
#elif HOW == 7
static void *one(void *unused)
{
    futex(&word, FUTEX_REQUEUE, 1, &flag, 0);
    return unused;
}
static void *two(void *unused)
{
    futex(&other, FUTEX_WAIT, 1, NULL, 0);
    futex(&other, FUTEX_REQUEUE, 1, &flag, 0);
    futex(&flag, FUTEX_REQUEUE, 1, &word, 0);
    return unused;
}
static void last(void) {}
#endif

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    last();
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
