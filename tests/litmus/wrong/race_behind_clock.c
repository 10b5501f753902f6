// The data are read where the clock says that the other thread has slept: that orders nothing.
// expect: violation data-race
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int data;

static void *publish(void *unused)
{
    data = 42; /* race */
    sleep(100);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec now;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec >= 100)
        seen = data; /* race */
    pthread_join(thread, 0);
    assert(seen == 42);
    return 0;
}
