// The program assumes that the thread ends before pthread_clockjoin_np() times out.
// expect: violation assertion
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
    pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &at);
    assert(done); /* violation */
    return 0;
}
