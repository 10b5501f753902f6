// A signal wakes, and orders nothing: only the mutex does, which the signalling thread never takes.
// expect: violation data-race
#include <pthread.h>
#include <time.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *publish(void *unused)
{
    data = 42; /* race */
    pthread_cond_signal(&cond);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec soon = { 0 };
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    pthread_mutex_lock(&mutex);
    int status = pthread_cond_timedwait(&cond, &mutex, &soon);
    pthread_mutex_unlock(&mutex);
    if (status == 0)
        seen = data; /* race */
    pthread_join(thread, 0);
    return seen != 42;
}
