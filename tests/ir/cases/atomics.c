/* C11 and GNU atomics. */
//! event atomic-write 4 n seq_cst @1
//! event rmw-unused 4 n seq_cst @2
//! event rmw 4 n relaxed @3
//! event cas 4 n seq_cst @4
//! event weak 0 n @5
//! event cas 4 n acq_rel/relaxed @5
//! event atomic-read 4 n acquire @6
//! event atomic-write 8 p release @7
//! event rmw 8 p seq_cst @8
//! event fence 0  seq_cst @9
//! event rmw 1 flag seq_cst @10
//! event rmw 1 byte seq_cst @11
//! event rmw 2 half seq_cst @12
//! event rmw 8 word seq_cst @13
//! info weak 4
#include <stdatomic.h>
_Atomic int n;
int x;
int *_Atomic p;
atomic_flag flag;
unsigned char byte = 250;
short half = -3;
unsigned long word = 12;
int t_atomics(void)
{
    int ok = 1, expected = 7;
    n = 1;                                                                               /*@1*/
    n++;                                                                                 /*@2*/
    ok &= atomic_fetch_add_explicit(&n, 5, memory_order_relaxed) == 2;                   /*@3*/
    ok &= atomic_compare_exchange_strong(&n, &expected, 9);                              /*@4*/
    ok &= !atomic_compare_exchange_weak_explicit(&n, &expected, 1, memory_order_acq_rel, /*@5*/
                                                 memory_order_relaxed);
    ok &= expected == 9;
    ok &= atomic_load_explicit(&n, memory_order_acquire) == 9; /*@6*/
    atomic_store_explicit(&p, &x, memory_order_release);       /*@7*/
    ok &= atomic_exchange(&p, (int *)0) == &x;                 /*@8*/
    atomic_thread_fence(memory_order_seq_cst);                 /*@9*/
    atomic_signal_fence(memory_order_seq_cst);
    ok &= !atomic_flag_test_and_set(&flag);                         /*@10*/
    ok &= __sync_fetch_and_add(&byte, 10) == 250;                   /*@11*/
    ok &= __atomic_fetch_min(&half, -5, __ATOMIC_SEQ_CST) == -3;    /*@12*/
    ok &= __atomic_nand_fetch(&word, 10, __ATOMIC_SEQ_CST) == ~8ul; /*@13*/
    return ok;
}
int main(void) { return !(t_atomics() && byte == 4 && half == -5 && word == ~8ul); }
