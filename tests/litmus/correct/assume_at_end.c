// The process ends while a thread stands at a failed assumption: the thread has not made that step, so the
// execution is complete.  The lock that the thread holds is taken by nobody; a thread that waits for
// one that has given up is no deadlock, and a loop that waits for it is no livelock.
// expect: verified
// also: --strategy stateful => verified
// also: --strategy brute => verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *holder(void *unused)
{
    pthread_mutex_lock(&lock);
    heddle_assume(done == 7);
    pthread_mutex_unlock(&lock);
    done = 1;
    return unused;
}

static void *waiter(void *unused)
{
    while (!done)
        ;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, holder, NULL);
    pthread_create(&threads[1], NULL, waiter, NULL);
    return 0;
}
