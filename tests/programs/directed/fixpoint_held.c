/* The assertion fails where the other thread holds the mutex.  Slice-n-dice as published comes to its fixpoint without that
 * thread: the branch was taken, so nobody asks what else the lock may be (docs/directed.md). */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void *holds(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t holder;
    pthread_create(&holder, NULL, holds, NULL);
    if (pthread_mutex_trylock(&m) == 0) {
        written = 1;
        pthread_mutex_unlock(&m);
    }
    pthread_join(holder, NULL);
    assert(written);
    return 0;
}
