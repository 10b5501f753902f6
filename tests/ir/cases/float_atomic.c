/* Read-modify-writes of floating point: a loop over compare-and-swap. */
//! event atomic-read 8 d seq_cst @1
//! event cas 8 d seq_cst @1
double d = 1.5;
double t_float(void)
{
    double x = 2.25;
    return __atomic_fetch_add(&d, x, __ATOMIC_SEQ_CST); /*@1*/
}
int main(void) { return !(t_float() == 1.5 && d == 3.75); }
