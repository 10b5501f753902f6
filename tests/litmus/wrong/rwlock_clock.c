// While main reads, a writer waits until its time is over.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *unused)
{
    struct timespec at = { 5, 0 };
    int status = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &at);
    assert(status == 0); /* violation */
    if (status == 0)
        pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &(struct timespec){ 5, 0 });
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
