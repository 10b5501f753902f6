// A spinlock whose loop delays with a bound that grows up to 16.  The delay is a loop inside of the loop that waits, and longer
// than what a thread remembers of its visits; but the variable comes to its bound, and then each iteration ends in the state in
// which it began.  So the executions are finitely many.  Each lock holds the counter: with acquire and release no execution
// breaks it; without release the counter races.
// case: HOW=0 U=release => verified
// case: HOW=1 U=release => verified
// case: HOW=0 U=relaxed => violation data-race
// case: HOW=1 U=relaxed => violation data-race
#include "orders.h"

static atomic_int locked;
static int counter;

static void lock(void)
{
    int bound = 1, free_value = 0;
#if HOW == 0
    do
        while (atomic_load_explicit(&locked, memory_order_relaxed)) {
#else
    while (!atomic_compare_exchange_strong_explicit(&locked, &free_value, 1, memory_order_acquire,
                                                    memory_order_relaxed)) {
        free_value = 0;
#endif
            for (int i = 0; i < bound; i++)
                __asm__ volatile("pause");
            if (bound < 16)
                bound *= 2;
        }
#if HOW == 0
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire) != free_value);
#endif
}

static void *add(void *unused)
{
    lock();
    counter++;
    atomic_store_explicit(&locked, 0, U);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(counter == 2);
}
