// Joined, or the time is over.
// expect: verified
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static int done;

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec at = { 2000000000, 0 };
    pthread_create(&t, NULL, work, NULL);
    int status = pthread_timedjoin_np(t, NULL, &at);
    assert(status == 0 || status == ETIMEDOUT);
    if (status == 0)
        assert(done);
    else
        pthread_join(t, NULL);
    return 0;
}
