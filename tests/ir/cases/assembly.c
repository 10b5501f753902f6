/* A compiler barrier is nothing; assembly that names a place in memory is an access of it. */
//! event atomic-write 4 x release @1
//! event read 4 x @2
//! info assembly 0
int x;
int t_assembly(void)
{
    int a = 1;
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("movl $5, %0" : "=m"(x)); /*@1*/
    __asm__("addl $1, %0" : "+r"(a));
    return a;
}
int t_x(void) { return x; /*@2*/ }
int main(void) { return !(t_assembly() == 2 && t_x() == 5); }
