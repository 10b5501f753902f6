/* Copies of structs: both sides shared, one side private; arguments by value. */
//! event copy 24 b @1
//! event read 24 a @2
//! event write 24 b @3
//! event fill 24 c @4
//! event will-read 24 a @5
#include <string.h>
struct s {
    long x, y, z;
};
struct s a = { 1, 2, 3 }, b, c = { 9, 9, 9 };
long by_value(struct s s)
{
    s.x += 6;
    return s.x;
}
long t_structs(void)
{
    b = a;              /*@1*/
    struct s local = a; /*@2*/
    local.y += 40;
    b = local;               /*@3*/
    memset(&c, 0, sizeof c); /*@4*/
    return by_value(a) == 7; /*@5*/
}
int main(void) { return !(t_structs() && b.y == 42 && b.z == 3 && a.x == 1 && c.x == 0); }
