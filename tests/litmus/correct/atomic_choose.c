// Choices inside an atomic section, also by SV-COMP's functions: all values are tried, and nobody sees half of it.
// expect: verified
// also: --strategy brute => verified
// also: --strategy source => verified
// also: --strategy stateful => verified
// also: --strategy dpor-stateful => verified
// also: --strategy hybrid => verified
// also: --strategy optimal -j 2 => verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);

static int x, y;

void __VERIFIER_atomic_move(void)
{
    int n = heddle_choose(3);
    x -= n;
    if (__VERIFIER_nondet_bool())
        __VERIFIER_assume(n != 1);
    y += n;
}

static int __VERIFIER_atomic_sum(void) { return x + y; }

static void *move(void *unused)
{
    __VERIFIER_atomic_move();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, move, NULL);
    pthread_create(&threads[1], NULL, move, NULL);
    assert(__VERIFIER_atomic_sum() == 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(__VERIFIER_atomic_sum() == 0);
    return 0;
}
