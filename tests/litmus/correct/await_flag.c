// A thread that spins on a flag waits for it; turns that find it unset are not explored one by one.
// expect: verified
// executions: 2
// (the flag is set before the first look or after it)
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;
static int data;

static void *producer(void *unused)
{
    data = 1;
    atomic_store(&ready, 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    while (!atomic_load(&ready))
        sched_yield();
    assert(data == 1);
    pthread_join(a, NULL);
    return 0;
}
