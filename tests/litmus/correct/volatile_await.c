// A loop waits for a volatile flag, which --races volatile-ok takes for an atomic that releases and acquires: whoever has
// seen the flag sees the data.
// expect: verified
// options: --races volatile-ok
// also: => violation data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data;
static volatile int ready;

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
    while (!ready)
        ;
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
