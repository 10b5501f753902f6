/* A value published with an atomic flag, and one with a plain flag. */
#include "two_threads.h"
#include <stdatomic.h>
static int value, other;
static atomic_int ready;
static int told;
static void *give(void *arg)
{
    value = 1; //! race spurious 1
    atomic_store(&ready, 1);
    other = 1;
    told = 1; //! race real 2
    return arg;
}
static void *take(void *arg)
{
    int sum = 0;
    if (atomic_load(&ready))
        sum += value; //! race spurious 1
    if (told)         //! race real 2
        sum += other;
    return sum ? arg : NULL;
}
int main(void) { return run_two(give, take); }
