// A thread's thread-local variable is its own, and starts with its initial value.
// expect: verified
// executions: 1
// (no two threads touch the same memory)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static __thread int counter = 10;
static _Thread_local char zero[100];

static void *work(void *unused)
{
    assert(counter == 10 && zero[99] == 0);
    counter++;
    zero[99] = 1;
    assert(counter == 11 && zero[99] == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    counter = 20;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 20 && zero[99] == 0);
    return 0;
}
