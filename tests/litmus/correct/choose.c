// heddle_choose gives every value: all combinations of two choices of three and two values.
// expect: verified
// executions: 6
// (3 x 2; the threads do not interact)
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static void *work(void *n) { return (void *)(intptr_t)heddle_choose((int)(intptr_t)n); }

int main(void)
{
    pthread_t a, b;
    void *three, *two;
    pthread_create(&a, NULL, work, (void *)(intptr_t)3);
    pthread_create(&b, NULL, work, (void *)(intptr_t)2);
    pthread_join(a, &three);
    pthread_join(b, &two);
    assert((intptr_t)three >= 0 && (intptr_t)three < 3);
    assert((intptr_t)two >= 0 && (intptr_t)two < 2);
    return 0;
}
