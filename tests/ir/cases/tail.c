/* Calls that must stay last, and assembly that jumps. */
//! event opaque 0 *a @1
//! info external wcscoll
//! info assembly 1
#include <wchar.h>
int t_tail(const wchar_t *a, const wchar_t *b)
{
    __attribute__((musttail)) return wcscoll(a, b); /*@1*/
}
static int jumps(int x)
{
    __asm__ goto("testl %0, %0\n\tjz %l1" : : "r"(x) : "memory" : zero);
    return 1;
zero:
    return 0;
}
int main(void) { return !(t_tail(L"a", L"a") == 0 && jumps(0) == 0 && jumps(1) == 1); }
