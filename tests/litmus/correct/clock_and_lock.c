// The data are read where the clock says that the other thread has slept, and a lock orders them.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *unused)
{
    pthread_mutex_lock(&lock);
    data = 42;
    pthread_mutex_unlock(&lock);
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
    if (now.tv_sec >= 100) {
        pthread_mutex_lock(&lock);
        seen = data;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, 0);
    assert(seen == 42);
    return 0;
}
