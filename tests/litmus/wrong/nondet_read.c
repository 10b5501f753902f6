// The value that one thread sets in an atomic section is what the other one asserts something of.
// expect: violation assertion
// options: --nondet 0..2
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

static int x;

static void *set(void *unused)
{
    __VERIFIER_atomic_begin();
    x = __VERIFIER_nondet_int() + 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    assert(x != 3);
    return 0;
}
