/* Loads and stores of every width. */
//! event write 1 c @1
//! event write 2 s @2
//! event write 8 l @3
//! event write 4 f @4
//! event write 8 d @5
//! event write 10 ld @6
//! event write 16 big @7
//! event write 8 p @8
//! event write 1 b @9
//! event read 1 c @10
//! event read 2 s @10
char c;
short s;
long l;
float f;
double d;
long double ld;
__int128 big;
long *p;
_Bool b;
int t_widths(int x)
{
    c = (char)x;             /*@1*/
    s = (short)-x;           /*@2*/
    l = x;                   /*@3*/
    f = 1.5f;                /*@4*/
    d = x * 0.25;            /*@5*/
    ld = x;                  /*@6*/
    big = (__int128)x << 64; /*@7*/
    p = &l;                  /*@8*/
    b = x;                   /*@9*/
    return c + s;            /*@10*/
}
int main(void)
{
    int sum = t_widths(200);
    return !(c == (char)200 && s == -200 && l == 200 && f == 1.5f && d == 50 && ld == 200 &&
             big >> 64 == 200 && *p == 200 && sum == (char)200 - 200 && b == 1);
}
