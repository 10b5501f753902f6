/* Peterson's algorithm with atomics keeps two threads apart; with one flag it does not. */
#include "two_threads.h"
#include <stdatomic.h>
static atomic_int wants[2], turn, busy;
static int kept, open;
static void work(int me)
{
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me)
        ;
    kept++; //! race spurious 1
    atomic_store(&wants[me], 0);
    if (!atomic_load(&busy)) {
        atomic_store(&busy, 1);
        open++; //! race real 2
        atomic_store(&busy, 0);
    }
}
static void *one(void *arg)
{
    work(0);
    return arg;
}
static void *two(void *arg)
{
    work(1);
    return arg;
}
int main(void) { return run_two(one, two); }
