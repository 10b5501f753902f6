// SV-COMP: atomic sections and a choice of two.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static int count;

static void *work(void *unused)
{
    bool twice = __VERIFIER_nondet_bool();
    __VERIFIER_atomic_begin();
    count += twice ? 2 : 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count >= 2 && count <= 4);
    return 0;
}
