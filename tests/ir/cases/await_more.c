/* Loops that wait although their look is in a function of its own, was made once before the loop, or is
 * of a pointer.  A loop whose next attempt depends on the last one does not wait. */
//! event rmw 4 lock seq_cst @1
//! event await 0 lock @1
//! event rmw 4 lock seq_cst @1
//! event atomic-read 4 ready seq_cst @2
//! event rmw 4 ready seq_cst @3
//! event await 0 ready @3
//! event rmw 4 ready seq_cst @3
//! event await-differs 0 ready @3
//! event rmw 8 link seq_cst @4
//! event await 0 link @4
//! event rmw 8 link seq_cst @4
//! event cas 4 ready seq_cst @5
//! event cas 4 ready seq_cst @5
#include <stdatomic.h>
#include <stddef.h>
static _Atomic int lock = 1, ready;
static int place, *_Atomic link;
static int t_try(void) { return atomic_exchange(&lock, 2); /*@1*/ }
int t_await(void)
{
    while (t_try() == 1)
        ;
    int seen = ready; /*@2*/
    while (seen != 2)
        seen = atomic_exchange(&ready, 2); /*@3*/
    int *found;
    while ((found = atomic_exchange(&link, &place)) == NULL) /*@4*/
        do {
        } while (0);
    int old = 7;
    while (!atomic_compare_exchange_strong(&ready, &old, old + 1)) /*@5*/
        ;
    return found != &place;
}
int main(void) { return t_await(); }
