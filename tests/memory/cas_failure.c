// Store buffering where the loads are compare-exchanges that fail.  What such a one orders is its
// second order, whatever the first one is.
//
// case: A=relaxed B=relaxed => violation assertion
// case: S=seq_cst A=acquire B=seq_cst => violation assertion
// case: S=seq_cst A=seq_cst B=acquire => violation assertion
// case: S=seq_cst A=seq_cst B=seq_cst => verified
// case: S=acq_rel A=seq_cst B=seq_cst => verified
#include "orders.h"
#include <assert.h>
#include <pthread.h>

static atomic_int x, y;
static int first, second;

static void *left(void *unused)
{
    int wanted = 7;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_compare_exchange_strong_explicit(&y, &wanted, 8, S, A);
    first = wanted;
    return unused;
}

static void *right(void *unused)
{
    int wanted = 7;
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    atomic_compare_exchange_strong_explicit(&x, &wanted, 8, S, B);
    second = wanted;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first || second);
    return 0;
}
