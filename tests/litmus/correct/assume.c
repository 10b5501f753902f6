// A lock made of an assumption inside an atomic section, as programs for verifiers have it: runs in
// which it would be taken twice do not count.
// expect: verified
// also: --reduce none => verified
// also: --reduce source => verified
// also: --reduce dpor => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int lock, inside;

static void acquire(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(lock == 0);
    lock = 1;
    __VERIFIER_atomic_end();
}

static void release(void)
{
    __VERIFIER_atomic_begin();
    lock = 0;
    __VERIFIER_atomic_end();
}

static void *work(void *unused)
{
    acquire();
    inside++;
    assert(inside == 1);
    inside--;
    release();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
