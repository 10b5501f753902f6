// The thread that a constructor creates runs beside the constructors after it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t helper;
static atomic_int ready;

static void *work(void *unused)
{
    assert(ready); /* violation */
    return unused;
}

__attribute__((constructor(200))) static void first(void) { pthread_create(&helper, 0, work, 0); }

__attribute__((constructor(300))) static void second(void) { ready = 1; }

int main(void)
{
    pthread_join(helper, 0);
    return 0;
}
