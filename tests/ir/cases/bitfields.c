/* Bit-fields are reads and writes of the unit that holds them. */
//! event read 2 f.one @1
//! event write 2 f.one @1
//! event read 2 f.one @2
//! event write 2 f.one @2
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
