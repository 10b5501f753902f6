/* Calls that must stay last, and assembly that jumps. */
//! event opaque 0 *a @1
//! info external rpmatch
//! info assembly 1
#define _DEFAULT_SOURCE
#include <stdlib.h>
int t_tail(const char *a) { __attribute__((musttail)) return rpmatch(a); /*@1*/ }
static int jumps(int x)
{
    __asm__ goto("testl %0, %0\n\tjz %l1" : : "r"(x) : "memory" : zero);
    return 1;
zero:
    return 0;
}
int main(void) { return !(t_tail("") == -1 && jumps(0) == 0 && jumps(1) == 1); }
