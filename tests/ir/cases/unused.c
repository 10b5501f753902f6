/* A read whose value nobody needs is still the program's read. */
//! event read 4 flag @1
//! event read 4 flag @2
//! event read 16 pair @3
int flag;
struct {
    long a, b;
} pair;
int t_unused(void)
{
    int x = flag; /*@1*/
    (void)x;
    x = flag;                  /*@2*/
    __typeof__(pair) p = pair; /*@3*/
    return (int)p.a;
}
int main(void) { return t_unused(); }
