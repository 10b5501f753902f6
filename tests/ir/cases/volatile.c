/* A volatile access is plain unless the options say otherwise, and none is lost. */
//! event read 4 v @1
//! event read 4 v @1
//! event write 4 v @2
volatile int v = 3;
int t_volatile(void)
{
    int sum = v + v; /*@1*/
    v = sum;         /*@2*/
    return sum;
}
int main(void) { return t_volatile() != 6 || v != 6; }
