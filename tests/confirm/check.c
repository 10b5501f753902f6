/* Two assertions about an atomic counter: one is wrong. */
#include "two_threads.h"
#include <assert.h>
static _Atomic int n;
static void *one(void *arg)
{
    int seen = n;
    n = seen + 1;
    return arg;
}
int main(void)
{
    run_two(one, one);
    assert(n >= 1); //! fault spurious 1
    assert(n == 2); //! fault real 2
    return 0;
}
