// The program assumes that pthread_mutex_timedlock() never times out.
// expect: violation assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *unused)
{
    struct timespec at = { 2000000000, 0 };
    int status = pthread_mutex_timedlock(&lock, &at);
    assert(status == 0); /* violation */
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
