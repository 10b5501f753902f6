// atexit handlers run once in every execution, the last registered first.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int order;
static int counter;

static void first(void) { assert(order == 1 && counter == 2); }

static void second(void)
{
    assert(order == 0);
    order = 1;
}

static void *work(void *unused)
{
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    atexit(first);
    atexit(second);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
