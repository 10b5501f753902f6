/* Two threads fill the halves of an array; one goes a step too far in another. */
#include "two_threads.h"
static int right[4], wrong[5];
static void *low(void *arg)
{
    for (int i = 0; i < 2; i++)
        right[i] = 1; //! race spurious 1
    for (int i = 0; i <= 2; i++)
        wrong[i] = 1; //! race real 2
    return arg;
}
static void *high(void *arg)
{
    for (int i = 2; i < 4; i++)
        right[i] = 2; //! race spurious 1
    for (int i = 2; i < 4; i++)
        wrong[i] = 2; //! race real 2
    return arg;
}
int main(void) { return run_two(low, high); }
