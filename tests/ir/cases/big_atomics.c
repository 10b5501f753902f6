/* Sizes for which the compiler calls a library function. */
//! event atomic-write 16 sixteen seq_cst @1
//! event atomic-read 16 sixteen seq_cst @2
//! event cas 16 sixteen seq_cst @3
//! event atomic-write 24 odd seq_cst @4
//! event atomic-read 24 odd seq_cst @5
//! event rmw 24 odd seq_cst @6
//! event rmw 24 odd seq_cst @7
//! event rmw 24 odd seq_cst @8
//! info weak 0
#include <stdatomic.h>
struct pair {
    long a, b;
};
struct three {
    long a, b, c;
};
_Atomic struct pair sixteen;
_Atomic struct three odd;
int t_big(void)
{
    int ok = 1;
    struct pair one = { 1, 2 }, two = { 3, 4 };
    struct three x = { 1, 2, 3 }, y = { 4, 5, 6 }, z;
    sixteen = one;              /*@1*/
    struct pair seen = sixteen; /*@2*/
    ok &= seen.a == 1 && seen.b == 2;
    ok &= atomic_compare_exchange_strong(&sixteen, &one, two); /*@3*/
    odd = x;                                                   /*@4*/
    z = odd;                                                   /*@5*/
    ok &= z.c == 3;
    z = atomic_exchange(&odd, y); /*@6*/
    ok &= z.a == 1;
    ok &= !atomic_compare_exchange_strong(&odd, &x, z); /*@7*/
    ok &= x.b == 5;
    ok &= atomic_compare_exchange_strong(&odd, &x, z); /*@8*/
    return ok;
}
int main(void)
{
    int ok = t_big();
    struct three last = odd;
    struct pair pair = sixteen;
    return !(ok && last.a == 1 && pair.a == 3 && pair.b == 4);
}
