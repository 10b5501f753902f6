/* Loops that only read are waited in; what makes a turn differ from the one before is none. */
//! event cas 4 lock seq_cst @1
//! event await-carried 0 lock @1
//! event cas 4 lock seq_cst @1
//! event atomic-read 4 ready seq_cst @2
//! event atomic-read 4 ready seq_cst @3
//! event atomic-read 4 ready seq_cst @3
//! event atomic-read 4 ready seq_cst @5
//! event rmw 4 lock seq_cst @4
//! event await 0 lock @4
//! event rmw 4 lock seq_cst @4
#include <stdatomic.h>
static _Atomic int lock, ready;
static inline void relax(void) { __asm__ volatile("rep; nop" ::: "memory"); }
int t_await(void)
{
    int expected = 5;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1)) { /*@1*/
        expected = 0;
        relax();
    }
    while (ready) /*@2*/
        relax();
    for (int i = 0; i < 2 && !ready; i++) /*@3*/
        relax();
    int left = ready;                      /*@5*/
    while (atomic_exchange(&lock, 2) == 1) /*@4*/
        relax();
    return left;
}
int main(void) { return t_await(); }
