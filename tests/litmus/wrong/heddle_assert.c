// heddle_assert stays when NDEBUG removes assert.
// expect: violation assertion
// cc-flags: -DNDEBUG
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *work(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(flag);
    heddle_assert(!flag); /* violation */
    pthread_join(t, NULL);
    return 0;
}
