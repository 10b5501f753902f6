// The flag is set before the data is there: the volatile flag orders nothing, and the two accesses of the data race.
// expect: violation assertion data-race
// options: --races volatile-ok --keep-going
// orders: weak
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data;
static volatile char ready;

static void *produce(void *unused)
{
    ready = 1;
    data = 42; /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    while (!ready)
        ;
    assert(data == 42); /* race */ /* violation */
    pthread_join(t, NULL);
    return 0;
}
