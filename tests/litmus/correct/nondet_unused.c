// Nobody looks at the values: with all of them the program does the same, and no range is needed.
// expect: verified
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);

int x;
static unsigned long sum;

static void *set(void *unused)
{
    __VERIFIER_atomic_begin();
    x = __VERIFIER_nondet_int();
    sum = 3 * __VERIFIER_nondet_ulong() + 1;
    __VERIFIER_nondet_int();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    return 0;
}
