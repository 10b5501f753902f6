// Time is virtual: it passes with sleeping, never goes back, and costs nothing.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static void *work(void *unused)
{
    struct timespec before, after, nap = { 3600, 500 };
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert(nanosleep(&nap, NULL) == 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 3600);
    time_t start = time(NULL);
    assert(sleep(1000) == 0);
    assert(time(NULL) - start >= 1000);
    usleep(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
