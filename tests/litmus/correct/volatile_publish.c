// Data is published by a volatile flag, which --races volatile-ok takes for an atomic that releases and acquires.
// expect: verified
// options: --races volatile-ok
// also: => violation data-race
// also: --races off => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data;
static volatile char ready;

static void *produce(void *unused)
{
    data = 42;
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    if (ready)
        assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
