// Threads work on variables of main's stack.
// expect: verified
// executions: 2
// (who locks first)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct job {
    pthread_mutex_t lock;
    int sum;
};

static void *work(void *arg)
{
    struct job *job = arg;
    pthread_mutex_lock(&job->lock);
    job->sum += 21;
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct job job = { PTHREAD_MUTEX_INITIALIZER, 0 };
    pthread_create(&a, NULL, work, &job);
    pthread_create(&b, NULL, work, &job);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(job.sum == 42);
    return 0;
}
