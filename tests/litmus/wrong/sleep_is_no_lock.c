// Sleeping long enough orders nothing.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void *work(void *unused)
{
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sleep(10);
    assert(ready); /* violation */
    pthread_join(t, NULL);
    return 0;
}
