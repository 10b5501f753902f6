// The assumption is looked at outside the atomic section: both may find the lock free.
// expect: violation assertion
// options: --races off
// also: --races off --reduce not-seen => violation assertion
// also: --races off --reduce none => violation assertion
// also: --races off --reduce source => violation assertion
// also: --races off --reduce dpor => violation assertion
// also: --races off --reduce sleep => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);

static int lock, inside;

static void *work(void *unused)
{
    __VERIFIER_assume(lock == 0);
    lock = 1;
    inside++;
    assert(inside == 1); /* violation */
    inside--;
    lock = 0;
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
