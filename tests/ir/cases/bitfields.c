/* Bit-fields are reads and writes of the unit that holds them, and named by all in it. */
//! event read 2 f.one, two @1
//! event write 2 f.one, two @1
//! event read 2 f.one, two @2
//! event write 2 f.one, two @2
struct {
    unsigned one : 3;
    unsigned two : 10;
} f;
void t_fields(void)
{
    f.one = 5;   /*@1*/
    f.two = 513; /*@2*/
}
int main(void)
{
    t_fields();
    return !(f.one == 5 && f.two == 513);
}
