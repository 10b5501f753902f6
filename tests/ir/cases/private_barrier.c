/* Atomic accesses of a local are left alone.  Those that are full barriers to x86 are announced, whatever their order. */
//! event barrier 0 n @1
//! event barrier 0 n @2
//! event barrier 0 n @3
#include <stdatomic.h>
static int t_private(void)
{
    int n = 1, expected = 3;
    __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);                                          /*@1*/
    __atomic_store_n(&n, 4, __ATOMIC_SEQ_CST);                                            /*@2*/
    __atomic_compare_exchange_n(&n, &expected, 7, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); /*@3*/
    __atomic_store_n(&n, expected + __atomic_load_n(&n, __ATOMIC_SEQ_CST),
                     __ATOMIC_RELEASE); /* moves */
    return n == 8;
}
int main(void) { return !t_private(); }
