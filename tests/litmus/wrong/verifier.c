// SV-COMP: without the atomic section an increment is lost.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

_Bool __VERIFIER_nondet_bool(void);

static int count;

static void *work(void *unused)
{
    bool twice = __VERIFIER_nondet_bool();
    count += twice ? 2 : 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count >= 2 && count <= 4); /* violation */
    return 0;
}
