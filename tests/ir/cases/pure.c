/* Attributes that promise not to touch memory must not let the optimiser drop a read. */
//! event read 4 x @1
//! event read 4 x @1
//! event write 4 x @2
int x = 4;
__attribute__((pure, noinline)) int t_get(void);
int t_get(void) { return x; /*@1*/ }
void t_pure(void)
{
    int a = t_get(), b = t_get();
    x = a + b; /*@2*/
}
int main(void)
{
    t_pure();
    return x != 8;
}
