/* C++: constructors, exceptions, virtual calls, references. */
//! out 7
#include <cstdio>
struct base { virtual ~base() {} virtual int get() const { return 1; } };
struct derived : base { int v; explicit derived(int x) : v(x) {} int get() const override { return v; } };
static derived global(4);
static int thrower(const base &b)
{
    if (b.get() == 4)
        throw b.get() + 3;
    return 0;
}
int main()
{
    try {
        thrower(global);
    } catch (int x) {
        printf("%d\n", x);
        return 0;
    }
    return 1;
}
