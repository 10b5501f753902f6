/* Assembly that is one atomic instruction is an atomic access; a locked one is a full barrier. */
//! event fence 0  seq_cst @1
//! event cas 4 x seq_cst @1
//! event fence 0  seq_cst @1
//! event fence 0  seq_cst @2
//! event rmw 8 y seq_cst @2
//! event fence 0  seq_cst @2
//! event fence 0  seq_cst @3
//! event rmw 4 x seq_cst @3
//! event fence 0  seq_cst @3
//! event fence 0  seq_cst @4
//! event rmw-unused 4 x seq_cst @4
//! event fence 0  seq_cst @4
//! event fence 0  seq_cst @5
//! event rmw-unused 4 x seq_cst @5
//! event fence 0  seq_cst @5
//! event fence 0  seq_cst @7
//! event read 4 x @6
//! info assembly 0
int x;
unsigned long y;
int t_atomics(void)
{
    int old = 0, added = 10;
    unsigned long one = 1;
    __asm__ volatile("lock; cmpxchg %2, %1;" /*@1*/
                     : "=a"(old), "+m"(x)
                     : "r"(5), "0"(old)
                     : "memory");
    __asm__ volatile("xchgq %0,%1" : "+r"(one), "+m"(y)::"memory");          /*@2*/
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(added), "+m"(x)::"memory"); /*@3*/
    __asm__ volatile("lock; incl %0" : "=m"(x) : "m"(x) : "memory");         /*@4*/
    __asm__ volatile("lock subl %1,%0" : "+m"(x) : "r"(6) : "memory");       /*@5*/
    __asm__ volatile("mfence" ::: "memory");                                 /*@7*/
    return old == 0 && one == 0 && added == 5 && x == 10;                    /*@6*/
}
int main(void) { return !t_atomics(); }
