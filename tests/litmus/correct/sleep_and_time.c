// A sleep lasts at least as long as asked.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *unused)
{
    struct timespec before, after, until;
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(2);
    usleep(500000);
    nanosleep(&(struct timespec){ 0, 500000000 }, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= before.tv_sec + 3);
    until = after;
    until.tv_sec += 10;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= until.tv_sec);
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(done);
    return 0;
}
