// Giving way to others does not mean that they have run.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sched_yield();
    assert(done); /* violation */
    pthread_join(t, NULL);
    return 0;
}
