/* A compiler barrier is nothing; assembly with memory counts. */
//! event opaque 0 x @1
//! event opaque-end 0 x @1
//! event read 4 x @2
//! info assembly 1
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
