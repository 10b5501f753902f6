/* join_holding_lock.c, repaired. The lock is given back before the join. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    finished = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    int early = finished;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(early == 0 || early == 1);
}
